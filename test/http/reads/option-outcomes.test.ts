import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from 'undici';
import { packageRoot } from '../../../src/package/package-root.ts';
import { startServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { allOutcomes, createCollection, type OptionCell, optionCells } from './option-outcomes.ts';

const file = join(packageRoot(), 'test/golden/list-options-1.36.txt');

/** The options that begin a line of the file; its columns are the combinations of the others. */
const rowOptions = ['watch', 'resourceVersion', 'resourceVersionMatch', 'sendInitialEvents'] as const;

const rowOf = (cell: OptionCell): string => rowOptions.map((name) => cell[name] || '-').join(' ');

/** A line for each outcome, with its number, and a line for each row with the numbers of its outcomes. */
function formatOutcomes(outcomes: readonly string[]): string {
  const numbers = new Map([...new Set(outcomes)].map((outcome, index) => [outcome, index]));
  const rows = new Map<string, (number | undefined)[]>();
  for (const [index, cell] of optionCells.entries()) {
    const row = rows.get(rowOf(cell)) ?? [];
    rows.set(rowOf(cell), [...row, numbers.get(outcomes[index] ?? '')]);
  }
  return [
    ...[...numbers].map(([outcome, number]) => `${number} = ${outcome}`),
    ...[...rows].map(([row, cells]) => `${row}: ${cells.join(' ')}`),
    '',
  ].join('\n');
}

function parseOutcomes(text: string): readonly string[] {
  const outcomes = new Map(
    [...text.matchAll(/^(\d+) = (.*)$/gm)].map(([, number = '', outcome = '']) => [number, outcome]),
  );
  const rows = new Map(
    [...text.matchAll(/^(\S+ \S+ \S+ \S+): (.*)$/gm)].map(([, row = '', cells = '']) => [row, cells.split(' ')]),
  );
  return optionCells.map((cell) => outcomes.get(rows.get(rowOf(cell))?.shift() ?? '') ?? 'not recorded');
}

/** Asks the server at `$ORACLE_URL`, whose token is `$ORACLE_TOKEN`, instead of comparing with it. */
async function recordOutcomes(url: string): Promise<void> {
  const agent = new Agent({ connect: { rejectUnauthorized: false }, bodyTimeout: 0 });
  const server = { url, ca: '', token: process.env['ORACLE_TOKEN'] ?? '', agent };
  const namespace = `options-${Date.now()}`;
  await request(server, 'POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  const asked = await createCollection(server, `/api/v1/namespaces/${namespace}/configmaps`);
  writeFileSync(file, formatOutcomes(await allOutcomes(server, asked)));
  await agent.close();
}

/** What Kubernetes answers, what this server answers instead, and why. */
const differences: readonly (readonly [theirs: RegExp, ours: RegExp, why: string])[] = [
  [/illegal base64/, /continue key is not valid|not allowed when using continue/, 'the same refusal in other words'],
  [/^200 3 items$/, /^200 1 items continue \+2$/, 'limit-any-version in docs/differences.md'],
  [/^504 Timeout: Timeout: Too large/, /^504 Timeout retry: Timeout: Too large/, 'clients may always try again'],
  [/^400 BadRequest: invalid resource version/, /^400 BadRequest: resourceVersion/, 'the same refusal in other words'],
  [/^500 : resourceVersion: Invalid/, /^400 BadRequest: resourceVersion: Invalid/, 'the client is at fault'],
  // The etcd of the recording could not report its progress, without which Kubernetes has no watch lists.
  [
    /RequestWatchProgress is disabled|^200 ERROR 504/,
    /^200(?: ADDED:a ADDED:b ADDED:c(?: BOOKMARK\*)?)?$/,
    'see below',
  ],
];

describe('the options of lists and watches', () => {
  const oracle = process.env['ORACLE_URL'];
  if (oracle) before(() => recordOutcomes(oracle));

  it('have the outcomes of kube-apiserver 1.36, in all combinations', async function () {
    this.timeout(120_000);
    const theirs = parseOutcomes(readFileSync(file, 'utf8'));
    await using server = await startServer({ emulatedRelease: '1.36' });
    const asked = await createCollection(server, '/api/v1/namespaces/default/configmaps');
    const outcomes = await allOutcomes(server, asked);
    const unexplained = outcomes.flatMap((ours, index) => {
      const their = theirs[index] ?? '';
      if (ours === their || differences.some((row) => row[0].test(their) && row[1].test(ours))) return [];
      return [`${JSON.stringify(optionCells[index])}: ${ours} instead of ${their}`];
    });
    assert.deepEqual(unexplained, []);
    // A watch that begins with the state ends it with a bookmark if it asked for bookmarks, and has the state once.
    for (const [index, cell] of optionCells.entries()) {
      const isList =
        cell.watch === 'true' && cell.sendInitialEvents === 'true' && cell.resourceVersionMatch === 'NotOlderThan';
      if (!isList || cell.continue !== '' || /never|malformed/.test(cell.resourceVersion)) continue;
      const end = cell.allowWatchBookmarks === 'true' ? ' BOOKMARK*' : '';
      assert.equal(outcomes[index], `200 ADDED:a ADDED:b ADDED:c${end}`, JSON.stringify(cell));
    }
  });
});
