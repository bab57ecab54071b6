import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { execInPod } from '../../../client/streams/run-in-pod.ts';
import { CliError } from '../../cli-error.ts';
import type { Invocation } from '../../command.ts';
import { withClient } from '../../connect.ts';
import { visibleText } from '../../format-rows.ts';
import type { Session } from '../../find-type.ts';
import { extractTar } from '../../tar/extract-tar.ts';
import { writeTar } from '../../tar/write-tar.ts';
import { chooseContainer } from './find-pod.ts';
import { pods } from '../../pod-resource.ts';
import type { cpFlags } from './flags.ts';

/** A place of a copy: a path here, or in a pod. */
interface CopyPlace {
  /** '' for this machine. */
  readonly pod: string;
  readonly namespace: string | undefined;
  readonly path: string;
}

/** `cl cp`: copies files and folders to and from a container, which needs the program `tar`. */
export async function cp({ words, options, io }: Invocation<typeof cpFlags>): Promise<void> {
  const [from, to] = [words[0] ?? '', words[1] ?? ''].map(readPlace);
  if (!from || !to || from.path === '' || to.path === '') throw new CliError('a path is missing');
  if (from.pod !== '' && to.pod !== '') throw new CliError('one of src or dest must be a local file specification');
  if (from.pod === '' && to.pod === '') {
    throw new CliError('one of src or dest must be a remote file specification', { hint: 'write POD:PATH' });
  }
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    const { pod, namespace = client.settings.namespace } = from.pod === '' ? to : from;
    const found = await client.resource(pods).get(pod, { namespace, signal: io.signal });
    const { name: container } = chooseContainer(found, options.container, { io });
    const copy = { pod, namespace, container, noPreserve: options.noPreserve };
    if (from.pod === '') await copyTo(session, copy, { from: from.path, to: to.path });
    else await withRetries(options.retries, () => copyFrom(session, copy, { from: from.path, to: to.path }));
  });
}

/** Reads `[NAMESPACE/]POD:PATH` or `PATH`. */
function readPlace(text: string): CopyPlace {
  const colon = text.indexOf(':');
  const isPath = colon < 0 || /^\.{0,2}\//.test(text);
  if (isPath) return { pod: '', namespace: undefined, path: text };
  const parts = text.slice(0, colon).split('/');
  const [namespace, pod = ''] = parts.length > 1 ? parts : [undefined, parts[0]];
  if (parts.length > 2 || pod === '' || namespace === '') {
    throw new CliError(`"${text}" is not a place`, { hint: 'write [NAMESPACE/]POD:PATH' });
  }
  return { pod, namespace, path: text.slice(colon + 1) };
}

async function withRetries(retries: number, act: () => Promise<void>): Promise<void> {
  for (let left = retries; ; left--) {
    try {
      return await act();
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

interface PodCopy {
  readonly pod: string;
  readonly namespace: string;
  readonly container: string;
  readonly noPreserve: boolean;
}

interface CopyPaths {
  readonly from: string;
  readonly to: string;
}

async function copyTo({ client, io }: Session, copy: PodCopy, { from, to }: CopyPaths): Promise<void> {
  const source = resolve(io.directory, from);
  await stat(source).catch(() => {
    throw new CliError(`${from} doesn't exist in local filesystem`);
  });
  const { pod, namespace, container, noPreserve } = copy;
  const shared = { namespace, container, signal: io.signal };
  const isFolder = (await execInPod(client, pod, { ...shared, command: ['test', '-d', to] })) === 0;
  const target = isFolder ? `${to.replace(/\/+$/, '')}/${basename(source)}` : to;
  const place = target.replace(/(?<=.)\/+$/, '');
  const slash = place.lastIndexOf('/');
  const folder = slash < 0 ? [] : ['-C', place.slice(0, slash) || '/'];
  const flags = noPreserve ? ['--no-same-permissions', '--no-same-owner'] : [];
  const code = await execInPod(client, pod, {
    ...shared,
    command: ['tar', ...flags, '-xmf', '-', ...folder],
    stdin: Readable.from(writeTar(source, place.slice(slash + 1))),
    stdout: io.stdout,
    stderr: io.stderr,
  });
  checkCode(code);
}

async function copyFrom({ client, io }: Session, copy: PodCopy, { from, to }: CopyPaths): Promise<void> {
  const { pod, namespace, container } = copy;
  const archive = new PassThrough();
  const skipped = (why: string): void => void io.stderr.write(`warning: skipping: ${visibleText(why)}\n`);
  const path = from.replace(/(?<=.)\/+$/, '');
  const written = extractTar(archive, { prefix: prefixOf(path), path: resolve(io.directory, to), onSkipped: skipped });
  // A failure to write ends the program in the container, whose result says less.
  const failed = new AbortController();
  written.catch((error: unknown) => failed.abort(error));
  const signal = AbortSignal.any([io.signal, failed.signal]);
  const stderr = new Writable({ write: (chunk, _encoding, settle) => io.stderr.write(chunk, settle) });
  const command = ['tar', 'cf', '-', path];
  try {
    const code = await execInPod(client, pod, { namespace, container, signal, command, stdout: archive, stderr });
    checkCode(code);
    archive.end();
  } catch (error) {
    archive.destroy();
    await written.catch(() => {});
    throw error;
  }
  await written;
}

/** The names in the archive: `tar` leaves the first slash out, and all up to the last `..`. */
function prefixOf(path: string): string {
  return path.replace(/^(?:.*\/)?\.\.(?:\/|$)/, '').replace(/^\/+/, '');
}

function checkCode(code: number): void {
  if (code !== 0) throw new CliError(`tar in the container ended with exit code ${code}`, { exitCode: code });
}
