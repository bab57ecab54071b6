import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import { objectAt } from '../../../src/meta/read-field.ts';
import type { Outcome } from '../../http/cl/cl-runner.ts';
import { differencesOf } from './compare-outcomes.ts';
import { newestKubectl } from './programs.ts';
import { storedObjects } from './stored-objects.ts';
import { startWriteWorld, type WriteWorld } from './write-world.ts';

/** What is written to the folder, and what is left out the second time. */
const label = { set: 'folder' };
const leftOut = 6;

/** The objects, with a label to prune by and nothing that would hold them. */
async function readObjects(): Promise<readonly JsonObject[]> {
  const texts = ['all', 'every-kind'].map((name) => readFile(`test/e2e/cl-lines/files/${name}.yaml`, 'utf8'));
  const documents = parseAllDocuments((await Promise.all(texts)).join('---\n'), { version: '1.1' });
  return documents
    .map((document) => document.toJS() as JsonValue)
    .filter(isJsonObject)
    .map((document) => {
      const object = without(document, 'status');
      const metadata = without(objectAt(object, 'metadata'), 'finalizers');
      return { ...object, metadata: { ...metadata, labels: { ...objectAt(metadata, 'labels'), ...label } } };
    });
}

function without(object: JsonObject, field: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== field));
}

/** The same object with other values in the fields that many kinds have, and one label less. */
function changed(object: JsonObject): JsonObject {
  const metadata = objectAt(object, 'metadata');
  const spec = objectAt(object, 'spec');
  return {
    ...object,
    metadata: { ...metadata, labels: label, annotations: { changed: 'yes' } },
    ...(object.kind === 'ConfigMap' ? { data: { other: 'x' } } : {}),
    ...(spec.replicas === undefined ? {} : { spec: { ...spec, replicas: 4 } }),
  };
}

async function writeFolder(directory: string, objects: readonly JsonObject[]): Promise<void> {
  const folder = path.join(directory, 'objects');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  for (const [index, object] of objects.entries()) {
    await writeFile(path.join(folder, `${String(index).padStart(2, '0')}.json`), JSON.stringify(object));
  }
}

describe('a folder of fifty objects of thirty kinds', () => {
  let kubectl: string | undefined;
  before(async () => {
    kubectl = await newestKubectl();
  });

  /** Runs a line with both on a folder with some objects; they end alike, and leave the same. */
  async function both(world: WriteWorld, text: string, objects: readonly JsonObject[]): Promise<void> {
    const outcomes: Outcome[] = [];
    const line = { text, words: text.split(' '), input: undefined, isForPeople: true, isExtra: false };
    for (const { directory, run } of [world.kubectl, world.cl]) {
      await writeFolder(directory, objects);
      outcomes.push(await run(line));
    }
    const [theirs, ours] = outcomes;
    assert.ok(theirs && ours);
    // Warnings about client-side applies are kubectl's own.
    assert.deepEqual(differencesOf(line, { ...theirs, err: '' }, { ...ours, err: '' }), []);
    assert.equal(ours.code, 0, ours.err);
    assert.deepEqual(await storedObjects(world.cl.server), await storedObjects(world.kubectl.server), text);
  }

  it('is applied, changed, pruned and deleted as by kubectl', async () => {
    if (kubectl === undefined) return;
    await using world = await startWriteWorld(kubectl);
    const objects = await readObjects();
    assert.ok(objects.length >= 50 && new Set(objects.map(({ kind }) => kind)).size >= 30);
    await both(world, 'apply -f objects', objects);
    await both(world, 'apply -f objects', objects.map(changed));
    const kept = objects.filter((_, index) => index % leftOut !== 0);
    await both(world, 'apply -f objects --prune -l set=folder', kept.map(changed));
    await both(world, 'delete -f objects --wait=false', kept);
  });
});
