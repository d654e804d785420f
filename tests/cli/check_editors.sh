# Completions and highlighting say what the program says: every command, every option, every word of
# the parser's lists, and a keyword is one in the language.
set -eu
junct=${JUNCT:-build/junct}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
share=$work/share
.tools/editors.sh "$junct" "$share"
failed=0
fail() {
    echo "$*"
    failed=1
}

# ---- completion in bash, as the shell asks for it ----
bash -n "$share/bash-completion/completions/junct"
. "$share/bash-completion/completions/junct"
completed() {
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    _junct || :
    echo "${COMPREPLY[*]-}"
}
[ "$(completed junct mat)" = matrices ] || fail "mat: $(completed junct mat)"
[ "$(completed junct simulate --plot-)" = --plot-only ] || fail "--plot-: $(completed junct simulate --plot-)"
[ "$(completed junct help pag)" = page ] || fail "help pag: $(completed junct help pag)"
touch "$work/a.hbg" "$work/a.txt"
[ "$(completed junct check "$work/a")" = "$work/a.hbg" ] || fail "files: $(completed junct check "$work/a")"
for command in $("$junct" --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p'); do
    for option in $("$junct" "$command" --help | sed -n '/^options:/,$p' | grep -oE '^ +(-., )?--[a-z-]+' |
        grep -oE -e '--[a-z-]+'); do
        case " $(completed junct "$command" "$option") " in
        *" $option "*) ;;
        *) fail "bash does not complete '$command $option'" ;;
        esac
        grep -q -e "seen_subcommand_from $command' -l ${option#--}" "$share/fish/vendor_completions.d/junct.fish" ||
            fail "fish does not have '$command $option'"
        grep -q -e "'$option\[" "$share/zsh/site-functions/_junct" || fail "zsh does not have '$option'"
    done
done

# ---- words: those of words.c, counted there by another way ----
words=$(grep -v '^#' src/syntax/words.c | sed -n '/statements\[\]/,/others\[\]/p' | grep -o '"[^"]*"' | tr -d '"')
[ "$(wc -w <<<"$words")" -ge 40 ] || fail "only $(wc -w <<<"$words") words found"
for word in $words; do
    grep -qwF -e "$word" "$share/vim/vimfiles/syntax/hbg.vim" || fail "vim does not have '$word'"
    grep -qF -e "$word" "$share/junct/vscode/hbg.tmLanguage.json" || fail "TextMate does not have '$word'"
done
# Each word once: no list has run into the next.
for list in Statement Kind Option Law; do
    grep "^syn keyword hbg$list " "$share/vim/vimfiles/syntax/hbg.vim" | tr ' ' '\n' | tail -n +4
done | sort | uniq -d | while read -r word; do echo "'$word' is in two lists"; exit 1; done || failed=1
# A statement that is highlighted is a statement to the parser: it may not be the name of an element.
for word in $(sed -n 's/^syn keyword hbgStatement //p' "$share/vim/vimfiles/syntax/hbg.vim"); do
    printf 'model x\nR %s = 1\n' "$word" >"$work/word.hbg"
    ! "$junct" check "$work/word.hbg" 2>&1 | grep -q 'is a word of the language' &&
        fail "'$word' is highlighted, but is a plain name"
done

# ---- TextMate's patterns are JSON, and vim reads its file ----
! command -v python3 >/dev/null || for file in "$share"/junct/vscode/*.json; do
    python3 -m json.tool "$file" >/dev/null || fail "$file is no JSON"
done
! command -v vim >/dev/null || vim -Nu NONE -es -c "syntax on" -c "source $share/vim/vimfiles/syntax/hbg.vim" -c q ||
    fail "vim does not read its file"
exit $failed
