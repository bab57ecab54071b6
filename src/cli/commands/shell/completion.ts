import { CliError } from '../../cli-error.ts';
import type { Invocation } from '../../command.ts';
import { completionWord } from '../../completion-word.ts';
import type { completionFlags } from './flags.ts';

/** `cl completion`: prints the script of a shell. */
export async function completion({ words: [shell = ''], io }: Invocation<typeof completionFlags>): Promise<void> {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script === undefined) {
    throw new CliError(`there is no completion for "${shell}"`, { hint: 'use bash, zsh, fish or powershell' });
  }
  io.stdout.write(script);
}

/** Bits of the last line of the completions, which follow a colon. */
const bits = Object.freeze({ noSpace: 2, noFiles: 4 });

const bash = String.raw`# bash completion for cl
_cl() {
    local line="\${COMP_LINE:0:COMP_POINT}" out directive candidate last cur cut
    local -a args
    read -ra args <<< "$line"
    [[ $line == *[[:space:]] ]] && args+=("")
    last="\${args[-1]}"
    cur="\${COMP_WORDS[COMP_CWORD]}"
    [[ $cur == "=" || $cur == ":" ]] && cur=""
    # Bash replaces only the part after the last = or :.
    cut="\${last%"$cur"}"
    out="$("\${args[0]}" ${completionWord} "\${args[@]:1}" 2>/dev/null)" || return
    directive="\${out##*:}"
    COMPREPLY=()
    while IFS= read -r candidate; do
        candidate="\${candidate%%$'\t'*}"
        [[ -n $candidate && $candidate == "$last"* ]] && COMPREPLY+=("\${candidate#"$cut"}")
    done <<< "\${out%:*}"
    (( directive & ${bits.noSpace} )) && compopt -o nospace
    if (( directive & ${bits.noFiles} )); then compopt +o default; else compopt -o default; fi
}
complete -o default -F _cl cl
`;

const zsh = String.raw`#compdef cl
# zsh completion for cl
_cl() {
    local -a lines candidates
    local line directive
    lines=("\${(@f)$("\${words[1]}" ${completionWord} "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
    directive="\${lines[-1]#:}"
    for line in "\${(@)lines[1,-2]}"; do
        candidates+=("\${\${line%%$'\t'*}//:/\\:}:\${line#*$'\t'}")
    done
    if (( directive & ${bits.noSpace} )); then
        _describe -t cl 'cl' candidates -S ''
    else
        _describe -t cl 'cl' candidates
    fi
    (( directive & ${bits.noFiles} )) || _files
}
if [[ "$funcstack[1]" == "_cl" ]]; then _cl "$@"; else compdef _cl cl; fi
`;

const fish = String.raw`# fish completion for cl
function __cl_complete
    set -l args (commandline -opc) (commandline -ct)
    set -l out ($args[1] ${completionWord} $args[2..-1] 2>/dev/null)
    test (count $out) -gt 0; or return
    set -l directive (string replace ':' \'\' -- $out[-1])
    string match -v -r '^:[0-9]+$' -- $out
    if test (math "bitand($directive, ${bits.noFiles})") -eq 0
        __fish_complete_path (commandline -ct)
    end
end
complete -c cl -f -a '(__cl_complete)'
`.replaceAll(String.raw`\'`, "'");

const powershell = String.raw`# PowerShell completion for cl
Register-ArgumentCompleter -Native -CommandName cl -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
    if ($wordToComplete -eq "") { $words += '""' }
    $rest = @($words | Select-Object -Skip 1)
    $out = @(& $words[0] ${completionWord} @rest 2>$null)
    foreach ($line in $out) {
        if ($line -match '^:\d+$') { continue }
        $parts = $line -split [char]9, 2
        $help = if ($parts.Count -gt 1 -and $parts[1]) { $parts[1] } else { $parts[0] }
        [System.Management.Automation.CompletionResult]::new($parts[0], $parts[0], 'ParameterValue', $help)
    }
}
`;

const scripts: Readonly<Record<string, string>> = Object.fromEntries(
  // String.raw keeps the backslash that keeps the template from taking the shell's variables.
  Object.entries({ bash, zsh, fish, powershell }).map(([name, text]) => [name, text.replaceAll('\\${', '${')]),
);
