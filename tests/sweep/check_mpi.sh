# junct-sweep-mpi: the table of junct sweep with 1, 2 and 4 ranks; a computation that dies, and a rank
# that does. Where there is no MPI, that is said and nothing is checked.
set -eu
if ! command -v mpicc >/dev/null || ! command -v mpirun >/dev/null; then
    echo 'skipped: there is no mpicc or mpirun'
    exit 0
fi
junct=$(realpath "${JUNCT:-build/junct}")
make --no-print-directory MPI=1 build/junct-sweep-mpi >/dev/null
mpi=$(realpath build/junct-sweep-mpi)
model=$PWD/examples/boost_peak.hbg
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export JUNCT_MPI_PATIENCE=2

! ldd "$junct" | grep -q libmpi # the ordinary program needs none of it
few="$model --vary iref=0.5:5.5:61 --each-period f(L) --periods 10 --to 5m -q"
"$junct" sweep $few -o expected.csv
for ranks in 1 2 4; do
    timeout 60 mpirun -n $ranks "$mpi" $few -o by.csv
    cmp expected.csv by.csv
    rm by.csv
done
code=0
timeout 60 mpirun -n 2 "$mpi" "$model" --vary none=1,2 >said 2>&1 || code=$?
[ $code -ne 0 ]
[ "$(grep -c 'no parameter or element none' said)" -eq 1 ]

# Kills the last rank, or the process in which it computes, once there are rows: before that a rank may still be
# joining the job, which then ends whatever it was told.
many="$model --vary iref=0.5:5.5:1500 --each-period f(L) --periods 10 --to 20m -q"
"$junct" sweep $many -j 2 -o expected.csv
disturb() {
    what=$1
    shift
    rm -f by.csv by.csv.part by.csv.part.id
    timeout 100 mpirun "$@" -n 4 "$mpi" $many -o by.csv >said 2>&1 &
    job=$!
    for turn in $(seq 600); do
        [ "$(cat by.csv.part 2>/dev/null | wc -l)" -lt 20 ] && [ ! -e by.csv ] || break
        sleep 0.05
    done
    mine=$(ps -eo pid,ppid,args | awk -v m="$mpi" '$3 == m { print $1, $2 }')
    last=$(echo "$mine" | while read -r pid up; do
        ! tr '\0' '\n' <"/proc/$pid/environ" | grep -qx OMPI_COMM_WORLD_RANK=3 || echo "$pid $up"
    done 2>/dev/null)
    victim=$(echo "$last" | awk -v what="$what" '
        { pid[NR] = $1; up[$1] = $2 }
        END { for (i = 1; i <= NR; i++) { below = up[pid[i]] in up
              if (below == (what == "computation")) print pid[i] } }')
    kill -9 $victim 2>/dev/null || :
    code=0
    wait $job || code=$?
}
disturb computation
[ $code -eq 0 ] || { cat said; exit 1; }
cmp expected.csv by.csv
disturb rank # the job ends; the same command goes on
[ -e by.csv ] || timeout 100 mpirun -n 2 "$mpi" $many -o by.csv
cmp expected.csv by.csv
if mpirun --help all 2>&1 | grep -q enable-recovery; then
    disturb rank --enable-recovery # the others compute what is missing
    [ -e by.csv ] || cat said
    cmp expected.csv by.csv
fi
