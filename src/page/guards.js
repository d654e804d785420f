// guards.js: in which modes something holds.
//
// All guards of the model are one table of decision nodes. A node asks one switch and goes on to
// its low or its high branch; branches come before the nodes that lead to them, so one sweep over
// the table gives every guard of a mode. 0 and 1 are "never" and "always".

const guards = (() => {
  let count = 2;
  let asked, low, high;

  // The table comes as numbers of seven bits a byte; a branch that is no constant says how many
  // nodes back it leads, and one.
  function read(text) {
    const numbers = view.numbers(text);
    count = 2 + numbers.length / 3;
    asked = new Int32Array(count);
    low = new Int32Array(count);
    high = new Int32Array(count);
    const branch = (i, steps) => steps < 2 ? steps : i - steps + 1;
    for (let i = 2, at = 0; i < count; i++) {
      asked[i] = numbers[at++];
      low[i] = branch(i, numbers[at++]);
      high[i] = branch(i, numbers[at++]);
    }
  }

  // For each guard whether it holds in the mode, a list of 0 and 1.
  function evaluate(mode) {
    const holds = new Uint8Array(count);
    holds[1] = 1;
    for (let i = 2; i < count; i++)
      holds[i] = holds[mode[asked[i]] ? high[i] : low[i]];
    return holds;
  }

  // How many switches of the mode must turn until a guard holds, for all of them at once. A switch
  // that is not asked stays as it is.
  function distances(mode) {
    const far = new Float64Array(count);
    far[0] = Infinity;
    for (let i = 2; i < count; i++) {
      const on = mode[asked[i]];
      far[i] = Math.min(far[low[i]] + (on ? 1 : 0), far[high[i]] + (on ? 0 : 1));
    }
    return far;
  }

  // The modes nearest to this one in which a guard holds, at most `limit` of them.
  function nearest(guard, mode, limit) {
    const far = distances(mode);
    const found = [];
    const walk = (node, now, left) => {
      if (found.length === limit || left !== far[node])
        return;
      if (node < 2) {
        found.push(now);
        return;
      }
      const s = asked[node];
      const other = now.slice();
      other[s] = mode[s] ? 0 : 1;
      const [stay, turn] = mode[s] ? [high[node], low[node]] : [low[node], high[node]];
      walk(stay, now, left);
      walk(turn, other, left - 1);
    };
    if (far[guard] < Infinity)
      walk(guard, Uint8Array.from(mode), far[guard]);
    return found;
  }

  return { read, evaluate, nearest, size: () => count };
})();

