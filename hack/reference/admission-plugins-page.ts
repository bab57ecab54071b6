import { admissionPlugins } from '../../src/admission/chain/create-chain.ts';
import { sourceFiles } from '../source-files.ts';
import { codeText, madeBy, markdownTable, plainText } from './markdown-table.ts';

type PluginRow = (typeof admissionPlugins)[number];

/** The page of the admission plugins, in their order. The sentences are the comments of their functions. */
export function admissionPluginsPage(): string {
  const comments = pluginComments();
  const rows = admissionPlugins.map((plugin, index) => [
    String(index + 1),
    codeText(plugin.name),
    defaultOf(plugin),
    comments.get(`${plugin.name.charAt(0).toLowerCase()}${plugin.name.slice(1)}`) ?? faultOf(plugin),
  ]);
  return `# Admission plugins

${madeBy} The plugins run in this order, whatever the order in a
flag: those that change objects for all plugins first, then those that judge the changed object.

\`--enable-admission-plugins\` and \`--disable-admission-plugins\` add to the defaults and take from them;
\`--admission-control-config-file\` has the configurations of the plugins that take one.

${markdownTable(['', 'plugin', 'by default', 'effect'], rows)}
`;
}

function faultOf({ name }: PluginRow): never {
  throw new Error(`no function of src/admission/ with a comment is named for the plugin ${name}`);
}

function defaultOf({ isOptional, isDeprecated, removedIn, since, gate }: PluginRow): string {
  const notes = [
    ...(gate === undefined ? [] : [`with the feature gate \`${gate}\``]),
    ...(isDeprecated ? ['deprecated'] : []),
    ...(since === undefined ? [] : [`from release ${since} on`]),
    ...(removedIn === undefined ? [] : [`until release ${removedIn}`]),
  ];
  return [isOptional ? 'off' : 'on', ...notes].join(', ');
}

/** The comments of all exported functions of the plugins, without what only readers of the code need. */
function pluginComments(): ReadonlyMap<string, string> {
  const files = ['plugins', 'policies', 'webhooks'].flatMap((folder) => sourceFiles(`src/admission/${folder}`, '.ts'));
  const pattern = /\/\*\*((?:(?!\*\/)[^])*)\*\/\nexport function (\w+)/g;
  return new Map(
    files.flatMap(({ text }) =>
      [...text.matchAll(pattern)].map(([, comment = '', name = '']) => [name, sentenceOf(comment)] as const),
    ),
  );
}

function sentenceOf(comment: string): string {
  const text = comment
    .replaceAll(/^ *\* ?/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const forUsers = text.replaceAll(/ \(spec [^)]*\)/g, '').replaceAll(/ Throws `RangeError`[^.]*\./g, '');
  // Code in comments is code on the page.
  return forUsers
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 0 ? plainText(part) : part))
    .join('');
}
