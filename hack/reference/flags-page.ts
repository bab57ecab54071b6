import { serverTable } from '../../src/config/server-options.ts';
import { controllerManagerFlags } from '../../src/controllers/manager/controller-manager-flags.ts';
import { defaultOf, type Flag, type SectionedFlags } from '../../src/flags/flag-table.ts';
import { codeText, madeBy, markdownTable, plainText } from './markdown-table.ts';

/** The page of the flags of both servers, in the order and the sections of their help. */
export function flagsPage(): string {
  return `# Flags

${madeBy} \`cl-apiserver --help\` and
\`cl-controller-manager --help\` print the same. The flags of \`cl\` are in [cli.md](../cli.md), those of kube-apiserver beside these in
[from-kube-apiserver.md](../from-kube-apiserver.md).

A duration is a number with a unit, as in \`1m30s\`. A flag that is given several times is an error, unless its meaning says that it may be
repeated. All errors are printed together, and the program ends with exit code 2.

## cl-apiserver

Programs that embed the server give the option in place of the flag to \`createServer\` ([embedding.md](../embedding.md)); \`--kubelet-…\` is
accepted for \`--nodeagent-…\`.

${sections(serverTable, true)}

## cl-controller-manager

\`--cluster-signing-kubelet-…\` is accepted for \`--cluster-signing-node-…\`.

${sections(controllerManagerFlags, false)}
`;
}

function sections(table: SectionedFlags, withOptions: boolean): string {
  const rows = Object.entries(table);
  const titles = [...new Set(rows.map(([, { section }]) => section))];
  const columns = ['flag', ...(withOptions ? ['option'] : []), 'default', 'meaning'];
  return titles
    .map((title) => {
      const own = rows.filter(([, { section }]) => section === title);
      const cells = own.map(([key, row]) => cellsOf(key, row, withOptions));
      return `### ${title}\n\n${markdownTable(columns, cells)}`;
    })
    .join('\n\n');
}

function cellsOf(key: string, row: Flag, withOptions: boolean): string[] {
  const { flag = key, type, help, required, deprecated, noEffect, refused, removed } = row;
  const initial = defaultOf(row);
  const value = type.placeholder === undefined ? '' : ` <${type.placeholder}>`;
  const sentence = [
    help,
    ...(deprecated === undefined ? [] : [` (deprecated: ${deprecated})`]),
    ...(noEffect === undefined ? [] : [` (no effect: ${noEffect})`]),
    ...(refused === undefined ? [] : [` (refused: ${refused})`]),
    ...(removed === undefined ? [] : [` (removed in release ${removed})`]),
  ].join('');
  const option = row.flag === undefined || key.includes('-') ? '' : codeText(key);
  return [
    codeText(`--${flag}${value}`),
    ...(withOptions ? [option] : []),
    required ? 'required' : codeText(initial === undefined ? '' : type.format(initial)),
    plainText(sentence),
  ];
}
