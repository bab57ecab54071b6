import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../meta/json-value.ts';
import { CliError, errorLine } from '../cli-error.ts';
import type { CliIo } from '../cli-io.ts';
import { visibleText } from '../format-rows.ts';
import { type Manifest, parseManifests } from '../manifests/read-manifests.ts';
import { printJson } from '../printers/json.ts';
import { printYaml } from '../printers/yaml.ts';
import { openEditor } from './open-editor.ts';
import { randomBytes } from 'node:crypto';
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A refusal that the user can mend in the editor. */
export interface Refusal {
  readonly problem: string;
  /** The problems, field by field. */
  readonly causes?: readonly string[];
}

/** The formats of objects that an editor can open. */
export type EditedFormat = 'json' | 'kyaml' | 'yaml';

/** Objects that a user changes in an editor. */
interface Editing {
  readonly objects: readonly JsonObject[];
  readonly format: EditedFormat;
  readonly windowsLineEndings: boolean;
  /** The first line of the file, which says what follows. */
  readonly purpose: string;
  /**
   * Sends what was changed, and returns what was refused: the editor then opens again. Throws for
   * what another edit cannot mend.
   */
  readonly write: (edited: readonly Manifest[]) => Promise<readonly Refusal[]>;
}

/** The text that is in the editor, and why it is there again. */
interface Round {
  readonly body: string;
  readonly refusals: readonly Refusal[];
}

/**
 * Opens objects in the editor of the user until what is saved is accepted, unchanged or empty. A
 * text that cannot be sent stays in the file, whose name is said.
 */
export async function editObjects(editing: Editing, io: CliIo): Promise<void> {
  const original = await bodyOf(editing);
  const file = await createEditedFile(editing.format === 'json' ? 'json' : 'yaml', io);
  let round: Round | undefined = { body: original, refusals: [] };
  let body = original;
  try {
    while (round) {
      await file.write(fileText(round, editing));
      try {
        await openEditor(file.path, io);
      } finally {
        body = await readBody(file, body);
      }
      round = await settle(editing, { original, round, body }, io);
    }
    await file.remove();
  } catch (error) {
    if (body === original) await file.remove();
    else io.stderr.write(`A copy of your changes has been stored to "${file.path}"\n`);
    throw error;
  }
}

/** The objects as the editor shows them, in a form that can be compared with what is saved. */
export async function shownObjects(objects: readonly JsonObject[]): Promise<readonly JsonObject[]> {
  const manifests = await parseManifests({ name: 'the file', bytes: Buffer.from(printJson(listOf(objects))) });
  return manifests.map(({ object }) => object);
}

function listOf(objects: readonly JsonObject[]): JsonObject {
  return { apiVersion: 'v1', kind: 'List', metadata: {}, items: [...objects] };
}

async function bodyOf({ objects, format }: Editing): Promise<string> {
  const [first = {}, ...others] = objects;
  const value = others.length === 0 ? first : listOf(objects);
  if (format === 'kyaml') return (await import('../printers/kyaml.ts')).printKyaml(value);
  return format === 'json' ? printJson(value) : printYaml(value);
}

async function readBody(file: EditedFile, before: string): Promise<string> {
  // An editor that failed may have removed it.
  const text = await file.read().catch(() => before);
  return withoutComments(text.replaceAll('\r\n', '\n'));
}

/** Leaves out the comments on top, in which refusals are. */
function withoutComments(text: string): string {
  return text.replace(/^(?:#.*(?:\n|$))+/, '');
}

function fileText({ body, refusals }: Round, { format, windowsLineEndings, purpose }: Editing): string {
  const notes = [
    purpose,
    "Lines at the top that begin with '#' are left out. An empty file ends the edit without a change.",
    'If the file is refused, it is opened again, and the reasons are here.',
    ...refusals.flatMap(({ problem, causes = [] }) => ['', problem, ...causes.map((cause) => `* ${cause}`)]),
  ];
  // JSON has no comments, so they are there only if they are needed.
  const isNoted = format !== 'json' || refusals.length > 0;
  const comments = notes.flatMap((note) => note.split('\n')).map((line) => `# ${visibleText(line)}`.trimEnd());
  const text = isNoted ? `${comments.join('\n')}\n#\n${body}` : body;
  return windowsLineEndings ? text.replaceAll('\n', '\r\n') : text;
}

interface SavedRound {
  readonly original: string;
  readonly round: Round;
  readonly body: string;
}

/** Acts on a saved file. Returns the next round; undefined if there is none. */
async function settle(editing: Editing, saved: SavedRound, io: CliIo): Promise<Round | undefined> {
  const { original, round, body } = saved;
  if (round.refusals.length > 0 && body === round.body) {
    throw new CliError('Edit cancelled, no valid changes were saved.');
  }
  const cancelled = (why: string): undefined => void io.stderr.write(`Edit cancelled, ${why}.\n`);
  if (body === original) return cancelled('no changes made');
  if (!/^[^\S\n]*[^\s#]/m.test(body)) return cancelled('saved file was empty');
  const refusals = await writeBody(editing, body, io);
  if (refusals === undefined) return cancelled('no changes made');
  if (refusals.length === 0) return undefined;
  for (const { problem, causes = [] } of refusals) {
    const fields = causes.length > 0 ? `: ${causes.join('; ')}` : '';
    io.stderr.write(`error: ${visibleText(problem + fields)}\n`);
  }
  return { body, refusals };
}

/** Writes the edited objects and returns the refusals; undefined if the objects did not change. */
async function writeBody(editing: Editing, body: string, io: CliIo): Promise<readonly Refusal[] | undefined> {
  let edited: readonly Manifest[];
  try {
    edited = await parseManifests({ name: 'the file', bytes: Buffer.from(body) });
  } catch (error) {
    io.signal.throwIfAborted();
    const problem = `The edited file had a syntax error: ${errorLine(error).replace(/^error: /i, '')}`;
    return [{ problem }];
  }
  const before = await shownObjects(editing.objects);
  const after = edited.map(({ object }) => object);
  return isDeepStrictEqual(after, before) ? undefined : editing.write(edited);
}

/** A temporary file that only its owner may read, because objects can contain secrets. */
interface EditedFile {
  readonly path: string;
  write(text: string): Promise<void>;
  read(): Promise<string>;
  remove(): Promise<void>;
}

const mode = 0o600;

/** Creates the file for one run of a command; the `extension` tells editors the format. */
async function createEditedFile(extension: string, { env }: Pick<CliIo, 'env'>): Promise<EditedFile> {
  const name = `cl-edit-${randomBytes(6).toString('hex')}.${extension}`;
  const path = join(env.TMPDIR || tmpdir(), name);
  const failed = (cause: unknown): never => {
    throw new CliError(`the file ${path} for the editor cannot be used`, {
      hint: cause instanceof Error ? cause.message : '',
      cause,
    });
  };
  await writeFile(path, '', { mode, flag: 'wx' }).catch(failed);
  return {
    path,
    write: (text) => writeFile(path, text, { mode }).catch(failed),
    async read() {
      const text = await readFile(path, 'utf8').catch(failed);
      // Some editors replace the file with a new one.
      await chmod(path, mode).catch(failed);
      return text;
    },
    remove: () => rm(path, { force: true }),
  };
}
