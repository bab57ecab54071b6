// Writes docs/reference/api-*.md: all that the published entries export, with the comments of the code. What changes there
// decides the next version (docs/releasing.md). With --check it writes nothing, and fails if a page is not what it would write.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { frontProxyFlags } from '../src/config/flags/front-proxy-flags.ts';
import { nodeAgentFlags } from '../src/config/flags/node-agent-flags.ts';
import { oidcFlags } from '../src/config/flags/oidc-flags.ts';
import { tokenWebhookFlags } from '../src/config/flags/token-webhook-flags.ts';
import { serverTable } from '../src/config/server-options.ts';
import { controllerFlags } from '../src/controllers/options/controller-flags.ts';
import type { FlagTable } from '../src/flags/flag-table.ts';
import {
  type PublishedEntry,
  type PublishedName,
  type PublishedOption,
  readPublishedApi,
} from './api/published-api.ts';

const folder = 'docs/reference';

/** The entries, with the name by which programs import them and a page for a reader who is new to them. */
const entries = {
  server: ['cl-apiserver', '[Embedding](../embedding.md)'],
  client: ['cl-apiserver/client', '[Clients](../client.md)'],
  testing: ['cl-apiserver/testing', '[Tests](../testing.md)'],
} as const;

/** The tables that types are made from: the help of a flag says what its option is for. */
const tables: Readonly<Record<string, FlagTable>> = {
  ControllerOptions: controllerFlags,
  ServerOptions: serverTable,
  FrontProxyOptions: frontProxyFlags,
  NodeAgentOptions: nodeAgentFlags,
  OidcOptions: oidcFlags,
  TokenWebhookOptions: tokenWebhookFlags,
};

/** The anchors of the names that are on pages, so that each type is on one page. */
const places = new Map<string, string>();

function pageOf(entry: keyof typeof entries, published: PublishedEntry): string {
  const [name, guide] = entries[entry];
  const { functions, types, kinds } = published;
  const mentioned = published.mentioned.filter((type) => !places.has(type.text));
  const elsewhere = published.mentioned.flatMap((type) => {
    const place = places.get(type.text);
    return place === undefined ? [] : [`[${type.name}](${place})`];
  });
  for (const each of [...functions, ...types, ...mentioned]) {
    if (!places.has(each.text)) places.set(each.text, `api-${entry}.md#${each.name.toLowerCase()}`);
  }
  return `${[
    `# API of \`${name}\``,
    'Made by `node dist/hack/write-api-docs.js` from the types that are published and their comments.',
    `${guide} shows how they are used.`,
    '## Functions, classes and values',
    ...functions.flatMap(sectionOf),
    ...(types.length > 0 ? ['## Types', ...types.flatMap(sectionOf)] : []),
    ...(kinds.length > 0
      ? [
          '## Types of kinds',
          `From the table of kinds, a group and version each: ${kinds.map((kind) => `\`${kind}\``).join(', ')}.`,
        ]
      : []),
    ...(mentioned.length > 0
      ? ['## Types that the others mention', 'They have no import.', ...mentioned.flatMap(sectionOf)]
      : []),
    ...(elsewhere.length > 0 ? [`More types that are mentioned are on other pages: ${elsewhere.join(', ')}.`] : []),
  ].join('\n\n')}\n`;
}

function sectionOf({ name, comment, examples, text, options }: PublishedName): string[] {
  return [
    `### ${name}`,
    ...(comment ? [comment] : []),
    block(text),
    ...examples.map((example) => `Example:\n\n${block(example.trim())}`),
    ...(options.length > 0 ? [tableOf(options, tables[name] ?? {})] : []),
  ];
}

function block(text: string): string {
  return `\`\`\`dts\n${text}\n\`\`\``;
}

function tableOf(options: readonly PublishedOption[], table: FlagTable): string {
  const rows = options.map(({ name, type, isOptional, comment }) => {
    const { help = '', flag = name } = table[name] ?? {};
    const purpose = [comment, help && `${help} (\`--${flag}\`)`].filter(Boolean).join(' ');
    return `| \`${name}${isOptional ? '?' : ''}\` | \`${cell(type)}\` | ${cell(purpose)} |`;
  });
  return ['| option | type | purpose |', '|---|---|---|', ...rows].join('\n');
}

function cell(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', '\\|');
}

const isCheck = process.argv.includes('--check');
const api = readPublishedApi(Object.keys(entries));
mkdirSync(folder, { recursive: true });
for (const entry of Object.keys(entries) as (keyof typeof entries)[]) {
  const file = `${folder}/api-${entry}.md`;
  const published = api.get(entry);
  if (!published) throw new Error(`${entry} was not read`);
  const text = pageOf(entry, published);
  if (!isCheck) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.log(`${file} is not up to date: run node dist/hack/write-api-docs.js`);
    process.exitCode = 1;
  }
}
