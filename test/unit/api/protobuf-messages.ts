import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import {
  create,
  createFileRegistry,
  type DescMessage,
  type FileRegistry,
  fromBinary,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { packageRoot } from '../../../src/package/package-root.ts';

const magic = Buffer.from('k8s\0');

/** A message as protobuf-es has it: fields by name. */
export type Message = Readonly<Record<string, unknown>>;

let registry: FileRegistry | undefined;

/** The messages of proto/, read by buf and not by the code under test. */
function messages(): FileRegistry {
  registry ??= createFileRegistry(fromBinary(FileDescriptorSetSchema, descriptors()));
  return registry;
}

function descriptors(): Buffer {
  const root = packageRoot();
  const args = ['build', root, '--as-file-descriptor-set', '-o', '-'];
  return execFileSync(join(root, 'node_modules/.bin/buf'), args, { maxBuffer: 64 * 1024 * 1024 });
}

function descriptorOf(name: string): DescMessage {
  const descriptor = messages().getMessage(name);
  if (!descriptor) throw new Error(`no message ${name}`);
  return descriptor;
}

/** Reads a message without an envelope. */
export function readMessage(name: string, bytes: Uint8Array): Message {
  // Fields are read by name, with assertions on what is found.
  return fromBinary(descriptorOf(name), bytes) as MessageShape<DescMessage> & Message;
}

/** Writes a message without an envelope. */
export function writeMessage(name: string, fields: object): Uint8Array {
  return toBinary(descriptorOf(name), create(descriptorOf(name), { ...fields }));
}

/** A body: what the envelope says, and the object as a message. */
export interface ReadBody {
  readonly apiVersion: string;
  readonly kind: string;
  readonly object: Message;
}

/** Reads a body whose object is a message. */
export function readBody(name: string, bytes: Buffer): ReadBody {
  if (!bytes.subarray(0, magic.length).equals(magic))
    throw new Error(`no envelope: ${bytes.subarray(0, 40).toString()}`);
  const unknown = readMessage('api.runtime.v1.Unknown', bytes.subarray(magic.length));
  const { apiVersion, kind } = unknown['typeMeta'] as { apiVersion: string; kind: string };
  return { apiVersion, kind, object: readMessage(name, unknown['raw'] as Uint8Array) };
}

/** Writes a body. */
export function writeBody(type: { readonly apiVersion: string; readonly kind: string }, raw: Uint8Array): Buffer {
  return Buffer.concat([magic, writeMessage('api.runtime.v1.Unknown', { typeMeta: type, raw })]);
}

/** Reads the events of a watch. */
export function readEvents(name: string, bytes: Buffer): readonly { readonly type: string; readonly body: ReadBody }[] {
  const events = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at);
    const event = readMessage('api.meta.v1.WatchEvent', bytes.subarray(at + 4, end));
    const { raw } = event['object'] as { raw: Uint8Array };
    events.push({ type: String(event['type']), body: readBody(name, Buffer.from(raw)) });
    at = end;
  }
  return events;
}
