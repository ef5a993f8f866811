# Files that look like plugins and are not whole: refused with a sentence, by `check` and in the list, and nothing else ends.
mkdir plugins
good=$(ls "$(dirname "$tw")"/tests/refuse/tail_zero.*)
suffix=.${good##*.}
cp "$good" plugins
head -c 5000 "$good" >plugins/cut$suffix
head -c 40 "$good" >plugins/shorter$suffix
: >plugins/empty$suffix
echo '/* GNU ld script */ GROUP ( libm.so )' >plugins/text$suffix
head -c 4000 /dev/zero >plugins/zeros$suffix
mkdir plugins/folder$suffix

# How large the whole file is differs from build to build, and its parts have another name on Windows.
plain() { sed "s|s[a-z]* reach to byte [0-9]*|segments reach to byte N|; s|${suffix}|.so|g; s|/[^ ]*/plugins|…/plugins|"; }
say() { "$@" 2>&1; echo "-> $?"; }
for name in cut empty folder shorter text zeros; do say $tw check plugins/$name$suffix | plain; done
TRACEWEIR_PLUGINS=plugins $tw plugins 2>&1 | grep -e refused -e tail_zero | plain | tr -s ' '

# Cut off at 50 places. Behind the last segment lie symbols for debuggers, without which it is still a plugin.
size=$(wc -c <"$good")
refused=0 fine=0
for i in $(seq 0 49); do
    head -c $((size * i / 50)) "$good" >plugins/tail_zero$suffix
    $tw check plugins/tail_zero$suffix >said.txt 2>&1
    case $? in
    0) fine=$((fine + 1)) ;;
    1) refused=$((refused + 1)); grep -q ': it is' said.txt || cat said.txt ;;
    *) echo "cut at $((size * i / 50)) of $size: $?"; cat said.txt ;;
    esac
done
echo "$((refused + fine)) of 50 were judged"; [ $refused -gt 5 ]
