#!/bin/bash
# editors.sh JUNCT FOLDER: writes completions for shells and highlighting for editors below FOLDER, as
# they are installed below share/.
#
# Nothing here knows a command or a word of the language: commands and options come from --help,
# words from the parser's own lists.
set -eu
junct=$(realpath "$1")
out=$(realpath -m "$2")
cd "$(dirname "$0")/.."

# ---- what there is ------------------------------------------------------------------------------

commands() { "$junct" --help | sed -n 's/^  \([a-z][a-z]*\)  *\(.*\)/\1\t\2/p'; }

# letter, name, argument and help of each option of a command; '-' where there is none.
options() {
    "$junct" "$1" --help | sed -n '/^options:/,$p' | sed -nE \
        -e 's/^  (-(.),|   ) --([a-z-]+) ([A-Z][A-Za-z=.]*) +(.*)/\2\t\3\t\4\t\5/p' -e t \
        -e 's/^  (-(.),|   ) --([a-z-]+) +(.*)/\2\t\3\t\t\4/p' | awk -F '\t' -v OFS='\t' \
        '{ for (i = 1; i <= 3; i++) if ($i == "") $i = "-"; print }'
}

# The strings of an array in a source file.
array() {
    awk -v name="$2[] = {" 'index($0, name) { on = 1 } on { print } on && /}/ { exit }' "$1" |
        grep -o '"[^"]*"' | tr -d '"'
}

statements=$(array src/syntax/words.c statements)
element_options=$(array src/syntax/words.c options)
kinds=$(array src/syntax/words.c kinds)
laws=$(array src/syntax/words.c laws)
others=$(array src/syntax/words.c others)
small=$(grep -ohE '(at|accept)_word\(p, "[a-z]+"' src/syntax/*.c | sed 's/.*"\(.*\)"/\1/' | sort -u)
functions=$(sed -n 's/^    {"\([a-z0-9]*\)", -\?[0-9]*, -\?[0-9]*, .*/\1/p' src/graph/functions.c)
domains=$(array src/graph/domains.c names | grep -v unknown)

lines() { tr -s '\n' ' ' <<<"$*" | sed 's/ $//'; }
either() { tr -s '\n ' '|' <<<"$*" | sed 's/|$//'; }
quoted() { sed "s/'/'\\\\''/g" <<<"$1"; }

# ---- shells -------------------------------------------------------------------------------------

bash_completion() {
    cat <<'END'
# bash completion for junct

_junct() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} options=
    COMPREPLY=()
END
    echo "    local commands='$(lines "$(commands | cut -f1)")'"
    cat <<'END'
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "$commands --help --version" -- "$cur"))
        return
    fi
    case ${COMP_WORDS[1]} in
END
    commands | while IFS=$'\t' read -r command _; do
        words=$(options "$command" | awk -F '\t' '{ if ($1 != "-") print "-" $1; print "--" $2 }')
        [ "$command" != help ] || words="$words $(commands | cut -f1)"
        echo "    $command) options='$(lines $words)' ;;"
    done
    cat <<'END'
    esac
    case $cur in
    -*) COMPREPLY=($(compgen -W "$options" -- "$cur")) ;;
    *)
        if [ "${COMP_WORDS[1]}" = help ]; then
            COMPREPLY=($(compgen -W "$commands" -- "$cur"))
        elif [[ $prev == -* ]]; then
            COMPREPLY=($(compgen -f -- "$cur"))
        else
            COMPREPLY=($(compgen -f -X '!*.hbg' -- "$cur") $(compgen -d -- "$cur"))
        fi ;;
    esac
}
complete -o filenames -F _junct junct
END
}

zsh_completion() {
    echo '#compdef junct'
    echo 'local -a commands; commands=('
    commands | while IFS=$'\t' read -r command help; do echo "  '$command:$(quoted "$help")'"; done
    echo ')'
    echo 'if (( CURRENT == 2 )); then _describe command commands; return; fi'
    echo 'case $words[2] in'
    commands | while IFS=$'\t' read -r command _; do
        echo "$command) shift words; (( CURRENT-- )); _arguments \\"
        options "$command" | while IFS=$'\t' read -r letter name argument help; do
            help=$(quoted "$help" | sed 's/[]:[]/\\&/g')
            rest="[$help]"
            [ "$argument" = - ] || rest="$rest:$argument:_files"
            echo "  '--$name$rest' \\"
            [ "$letter" = - ] || echo "  '-$letter$rest' \\"
        done
        if [ "$command" = help ]; then
            echo "  '1:command:($(lines "$(commands | cut -f1)"))' ;;"
        else
            echo "  '*:model:_files -g \"*.hbg\"' ;;"
        fi
    done
    echo 'esac'
}

fish_completion() {
    echo '# fish completion for junct'
    echo 'complete -c junct -f'
    commands | while IFS=$'\t' read -r command help; do
        echo "complete -c junct -n __fish_use_subcommand -a $command -d '$(quoted "$help")'"
        options "$command" | while IFS=$'\t' read -r letter name argument help; do
            more=
            [ "$letter" = - ] || more=" -s $letter"
            [ "$argument" = - ] || more="$more -r -F"
            echo "complete -c junct -n '__fish_seen_subcommand_from $command' -l $name$more -d '$(quoted "$help")'"
        done
        [ "$command" = help ] || [ "$command" = version ] || echo \
            "complete -c junct -n '__fish_seen_subcommand_from $command' -k -a '(__fish_complete_suffix .hbg)'"
    done
}

# ---- editors ------------------------------------------------------------------------------------

vim_syntax() {
    cat <<END
" Vim syntax file for hybrid bond graphs (.hbg) of junct
if exists('b:current_syntax') | finish | endif
syn iskeyword @,48-57,_
syn keyword hbgStatement $(lines $statements)
syn keyword hbgKind $(lines $kinds)
syn keyword hbgOption $(lines $element_options)
syn keyword hbgLaw $(lines $laws)
syn keyword hbgWord $(lines $others $small)
syn keyword hbgDomain contained $(lines $domains)
syn match hbgFunction /\\<\\($(either $functions | sed 's/|/\\|/g')\\)\\ze\\s*(/
syn match hbgDomainLine /\\<domain\\s\\+\\w\\+/ contains=hbgStatement,hbgDomain
syn match hbgNumber /\\<\\d\\+\\(\\.\\d*\\)\\?\\([eE][-+]\\?\\d\\+\\)\\?[a-zA-Zµ]*\\>/
syn match hbgArrow /->/
syn region hbgText start=/"/ skip=/\\\\./ end=/"/ oneline
syn match hbgComment /#.*/
hi def link hbgStatement Statement
hi def link hbgKind Type
hi def link hbgOption Identifier
hi def link hbgLaw PreProc
hi def link hbgWord Keyword
hi def link hbgDomain Constant
hi def link hbgFunction Function
hi def link hbgNumber Number
hi def link hbgArrow Operator
hi def link hbgText String
hi def link hbgComment Comment
let b:current_syntax = 'hbg'
END
}

textmate() {
    cat <<END
{
  "name": "Hybrid bond graph",
  "scopeName": "source.hbg",
  "fileTypes": ["hbg"],
  "patterns": [
    {"name": "comment.line.number-sign.hbg", "match": "#.*$"},
    {"name": "string.quoted.double.hbg", "begin": "\"", "end": "\"|$",
     "patterns": [{"name": "constant.character.escape.hbg", "match": "\\\\\\\\."}]},
    {"name": "support.function.hbg", "match": "\\\\b($(either $functions))(?=\\\\s*\\\\()"},
    {"match": "^\\\\s*(domain)\\\\s+($(either $domains))\\\\b",
     "captures": {"1": {"name": "keyword.control.hbg"}, "2": {"name": "constant.language.hbg"}}},
    {"name": "keyword.control.hbg", "match": "\\\\b($(either $statements))\\\\b"},
    {"name": "storage.type.hbg", "match": "(?:^|(?<=[{;]))\\\\s*($(either $kinds))\\\\b(?=\\\\s+[A-Za-z_])"},
    {"name": "support.class.hbg", "match": "\\\\b($(either $laws))\\\\b"},
    {"name": "variable.parameter.hbg", "match": "\\\\b($(either $element_options))\\\\b"},
    {"name": "keyword.other.hbg", "match": "\\\\b($(either $others $small))\\\\b"},
    {"name": "constant.numeric.hbg", "match": "\\\\b[0-9]+(\\\\.[0-9]*)?([eE][-+]?[0-9]+)?[A-Za-zµ]*"},
    {"name": "keyword.operator.hbg", "match": "->|[-+*/^=<>:]"}
  ]
}
END
}

vscode_package() {
    cat <<'END'
{
  "name": "hbg", "displayName": "Hybrid bond graphs", "version": "0.1.0", "publisher": "junct",
  "description": "Highlighting of .hbg files", "engines": {"vscode": "^1.50.0"},
  "contributes": {
    "languages": [{"id": "hbg", "aliases": ["Hybrid bond graph"], "extensions": [".hbg"],
                   "configuration": "./language-configuration.json"}],
    "grammars": [{"language": "hbg", "scopeName": "source.hbg", "path": "./hbg.tmLanguage.json"}]
  }
}
END
}

# ---- files --------------------------------------------------------------------------------------

put() {
    mkdir -p "$(dirname "$out/$1")"
    cat >"$out/$1"
}

bash_completion | put bash-completion/completions/junct
zsh_completion | put zsh/site-functions/_junct
fish_completion | put fish/vendor_completions.d/junct.fish
vim_syntax | put vim/vimfiles/syntax/hbg.vim
echo 'au BufRead,BufNewFile *.hbg setfiletype hbg | setlocal commentstring=#\ %s' |
    put vim/vimfiles/ftdetect/hbg.vim
textmate | put junct/vscode/hbg.tmLanguage.json
vscode_package | put junct/vscode/package.json
echo '{"comments": {"lineComment": "#"}, "brackets": [["{", "}"], ["[", "]"], ["(", ")"]]}' |
    put junct/vscode/language-configuration.json
