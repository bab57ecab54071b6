import { parse as parseYaml } from 'yaml';
import { checkList } from '../check-list.ts';
import { type ConfigMapBody, type ObjectVersion, versionOf } from '../object-history.ts';
import { openSoakClient, type SoakResponse, type SoakClient } from '../soak-client.ts';
import { modelReaches, repeat, type SoakContext } from '../soak-context.ts';
import { type Selection, selections } from '../selections.ts';

interface ListMeta {
  readonly resourceVersion: string;
  readonly continue?: string;
}

interface ListBody {
  readonly metadata: ListMeta;
  readonly items: readonly ConfigMapBody[];
}

interface TableBody {
  readonly metadata: ListMeta;
  readonly rows: readonly { readonly object: ConfigMapBody }[];
}

/** A form in which lists are asked for, and how the client reads it. */
interface ListForm {
  readonly accept: string;
  readonly query: Readonly<Record<string, string>>;
  readonly read: (text: string) => ListBody;
}

const json: ListForm = { accept: 'application/json', query: {}, read: (text) => JSON.parse(text) as ListBody };
const pretty: ListForm = { ...json, query: { pretty: '1' } };
const table: ListForm = {
  accept: 'application/json;as=Table;g=meta.cl.io;v=v1',
  query: { includeObject: 'Object' },
  read: (text) => {
    const { metadata, rows } = JSON.parse(text) as TableBody;
    return { metadata, items: rows.map(({ object }) => object) };
  },
};
const yaml: ListForm = { accept: 'application/yaml', query: {}, read: (text) => parseYaml(text) as ListBody };

/** Plain JSON is what controllers read; the others are rarer. */
const forms: readonly ListForm[] = [json, json, json, json, json, json, pretty, table];

/** YAML is slow to parse, which would starve the rest of the load: pages of it are small. */
const yamlLimit = 10;

/** Reads lists of every kind and compares each with the model, until the load ends. */
export async function runLister(context: SoakContext, protocol: 'http1' | 'http2', pauseMs: number): Promise<void> {
  const client = openSoakClient(context.target, protocol, context.fault);
  await repeat(context, 'list', pauseMs, () => listOnce(context, client));
  await client.close();
}

async function listOnce(context: SoakContext, client: SoakClient): Promise<void> {
  const { random, history } = context;
  const selection = random.pick(selections);
  const inYaml = random.next() < 0.03;
  const form = inYaml ? yaml : random.pick(forms);
  const limit = inYaml ? yamlLimit : random.pick([0, 0, 0, 7, 50, 150]);
  const knownBefore = history.revision;
  const freshness = someFreshness(context);
  const headers = { accept: form.accept, ...(random.next() < 0.5 ? { 'accept-encoding': 'gzip' } : {}) };
  const items: ObjectVersion[] = [];
  let revision = 0;
  for (let token = ''; ; ) {
    const paging: Record<string, string> = limit === 0 ? {} : { limit: String(limit) };
    const first = token === '' ? freshness : { continue: token };
    const query = new URLSearchParams({ ...selection.query, ...form.query, ...paging, ...first });
    const response = await client.send({ path: `${selection.path}?${query.toString()}`, headers });
    // History older than the compaction interval may be gone.
    if (response.status === 410) return;
    const page = readPage(response, form);
    const pageRevision = Number(page.metadata.resourceVersion);
    if (revision !== 0 && pageRevision !== revision) throw new Error(`a page of ${revision} is of ${pageRevision}`);
    revision = pageRevision;
    items.push(...page.items.map((item) => versionOf(item)));
    token = page.metadata.continue ?? '';
    if (token === '' || inYaml) break;
  }
  context.count('lists');
  if (Object.keys(freshness).length === 0 && revision < knownBefore) {
    throw new Error(`a consistent list is of ${revision}, but etcd had ${knownBefore} before it`);
  }
  if (!inYaml) await compare(context, { selection, revision, items, form });
}

async function compare(
  context: SoakContext,
  read: { selection: Selection; revision: number; items: readonly ObjectVersion[]; form: ListForm },
): Promise<void> {
  if (!(await modelReaches(context, read.revision))) return;
  const wrong = checkList(read, context.history);
  if (wrong !== undefined) {
    const { path, query } = read.selection;
    context.fault(`list ${path} ${JSON.stringify(query)} as ${read.form.accept}: ${wrong}`);
  }
}

function readPage({ status, body }: SoakResponse, form: ListForm): ListBody {
  if (status !== 200) throw new Error(`a list was answered ${status}: ${body.toString().slice(0, 200)}`);
  return form.read(body.toString());
}

/** Mostly the newest state; now and then any state, or an exact recent one. */
function someFreshness({ random, history }: SoakContext): Record<string, string> {
  const draw = random.next();
  if (draw < 0.6) return {};
  if (draw < 0.8) return { resourceVersion: '0' };
  const revision = Math.max(1, history.trimmedTo, history.revision - random.between(0, 500));
  return { resourceVersion: String(revision), resourceVersionMatch: 'Exact' };
}
