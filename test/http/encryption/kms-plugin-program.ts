// A key management plugin of versions 1 and 2 as a program: its key follows from an id. A message from the parent process
// changes how it behaves.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { create, type DescMethod, fromBinary, type Message, toBinary } from '@bufbuild/protobuf';
import { type handleUnaryCall, type sendUnaryData, Server, ServerCredentials, status } from '@grpc/grpc-js';
import { KeyManagementService as V1 } from '../../../src/gen/kms/v1beta1/kms_pb.ts';
import { KeyManagementService as V2 } from '../../../src/gen/kms/v2/kms_pb.ts';
import type { PluginBehaviour } from './kms-plugin.ts';

const [socket = ''] = process.argv.slice(2);
let behaviour: PluginBehaviour = { keyId: 'one', healthz: 'ok' };

const keyOf = (id: string): Buffer => createHash('sha256').update(id).digest();

function encrypt(plain: Uint8Array, id: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(id), nonce);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(cipher: Uint8Array, id: string): Buffer {
  if (behaviour.lostKeys?.includes(id)) throw Object.assign(new Error(`no key ${id}`), { code: status.NOT_FOUND });
  const bytes = Buffer.from(cipher);
  const decipher = createDecipheriv('aes-256-gcm', keyOf(id), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
}

type Sent = Message & Record<string, unknown>;
type Respond = (request: Sent) => object;

function responding(name: string, answer: Respond): handleUnaryCall<Sent, object> {
  return ({ request }, callback) => void responded(name, () => answer(request), callback);
}

async function responded(name: string, answer: () => object, callback: sendUnaryData<object>): Promise<void> {
  await sleep(behaviour.delayMs ?? 0);
  const code = behaviour.failure;
  if (code !== undefined) return callback({ code, details: `told to fail ${name}` });
  try {
    callback(null, answer());
  } catch (error) {
    const found = error instanceof Error ? error : new Error(String(error));
    callback(Object.assign(new Error(found.message), { code: status.UNKNOWN, details: found.message }, found));
  }
}

function definitionOf(service: typeof V1 | typeof V2, answers: Readonly<Record<string, Respond>>) {
  const methods = service.methods.map((method: DescMethod) => ({
    name: method.name,
    row: {
      path: `/${service.typeName}/${method.name}`,
      requestStream: false,
      responseStream: false,
      requestSerialize: (value: Record<string, unknown>) =>
        Buffer.from(toBinary(method.input, create(method.input, value))),
      requestDeserialize: (bytes: Buffer) => fromBinary(method.input, bytes),
      responseSerialize: (value: Record<string, unknown>) =>
        Buffer.from(toBinary(method.output, create(method.output, value))),
      responseDeserialize: (bytes: Buffer) => fromBinary(method.output, bytes),
    } as const,
    answer: responding(method.name, answers[method.name] ?? (() => ({}))),
  }));
  return [
    Object.fromEntries(methods.map(({ name, row }) => [name, row])),
    Object.fromEntries(methods.map(({ name, answer }) => [name, answer])),
  ] as const;
}

const server = new Server();
server.addService(
  ...definitionOf(V1, {
    Version: () => ({ version: 'v1beta1', runtimeName: 'test', runtimeVersion: '0.0.1' }),
    Encrypt: ({ plain }) => ({ cipher: encrypt(plain as Uint8Array, 'v1') }),
    Decrypt: ({ cipher }) => ({ plain: decrypt(cipher as Uint8Array, 'v1') }),
  }),
);
server.addService(
  ...definitionOf(V2, {
    Status: () => ({ version: 'v2', healthz: behaviour.healthz, keyId: behaviour.keyId }),
    Encrypt: ({ plaintext }) => ({
      ciphertext: encrypt(plaintext as Uint8Array, behaviour.keyId),
      keyId: behaviour.otherKeyId ?? behaviour.keyId,
      annotations: { 'version.test.example.com': Buffer.from('1') },
    }),
    Decrypt: ({ ciphertext, keyId }) => ({ plaintext: decrypt(ciphertext as Uint8Array, String(keyId)) }),
  }),
);
process.on('message', (message) => {
  behaviour = message as PluginBehaviour;
  process.send?.('changed');
});
process.on('disconnect', () => process.exit());
// An argument cannot have the NUL that an abstract socket begins with.
const isAbstract = socket.startsWith('@');
if (!isAbstract) rmSync(socket, { force: true });
server.bindAsync(
  `unix:${isAbstract ? `\0${socket.slice(1)}` : socket}`,
  ServerCredentials.createInsecure(),
  (error) => {
    if (error) throw error;
    process.send?.('listening');
  },
);
