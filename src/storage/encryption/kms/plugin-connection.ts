import { type DescMessage, fromBinary, type MessageInitShape, type MessageShape } from '@bufbuild/protobuf';
import type { DescMethodUnary } from '@bufbuild/protobuf';
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { StorageError } from '../../port/storage-error.ts';
import { serialize } from '../../remote/store-messages.ts';
import { DecryptionError } from '../ciphers/transformer.ts';

/** The socket of a plugin. */
interface PluginAddress {
  /** The name of the provider, for messages. */
  readonly name: string;
  /** The path of the socket. */
  readonly socket: string;
  readonly timeoutMs: number;
  /** Called after each call with its duration. `code` is a gRPC code: `OK`, `DeadlineExceeded`. */
  readonly onCall: (method: string, code: string, seconds: number) => void;
}

const channelOptions = Object.freeze({
  'grpc.default_authority': 'localhost',
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
});

/** The errors that are about the request and would be the same again. */
const refusals: ReadonlySet<status> = new Set([
  status.INVALID_ARGUMENT,
  status.NOT_FOUND,
  status.PERMISSION_DENIED,
  status.UNAUTHENTICATED,
  status.FAILED_PRECONDITION,
  status.OUT_OF_RANGE,
  status.DATA_LOSS,
]);

/**
 * The connection to a key management plugin, opened by the first call and reopened when it is lost.
 */
export class PluginConnection {
  readonly #address: PluginAddress;
  readonly #client: Client;

  constructor(address: PluginAddress) {
    this.#address = address;
    this.#client = new Client(`unix:${address.socket}`, credentials.createInsecure(), channelOptions);
  }

  /**
   * Calls a method. Throws DecryptionError if the plugin refuses the request, and Unavailable if it
   * fails or does not answer in time. The code `Unknown` counts as a failure, so that objects do
   * not appear lost during a temporary problem.
   */
  call<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
  ): Promise<MessageShape<O>> {
    const { name, timeoutMs, onCall } = this.#address;
    const path = `/${method.parent.typeName}/${method.name}`;
    // A plugin may start later or be replaced: a call waits for it until its deadline.
    const metadata = new Metadata({ waitForReady: true });
    const startMs = performance.now();
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        path,
        (message: MessageInitShape<I>) => serialize(method.input, message),
        (bytes: Buffer) => fromBinary(method.output, bytes),
        request,
        metadata,
        { deadline: Date.now() + timeoutMs },
        (error: ServiceError | null, response?: MessageShape<O>) => {
          onCall(path, codeName(error?.code), (performance.now() - startMs) / 1_000);
          if (response) resolve(response);
          else reject(failureOf(name, method.name, error));
        },
      );
    });
  }

  /** Cancels running calls and closes the connection. */
  close(): void {
    this.#client.close();
  }
}

function failureOf(name: string, method: string, error: ServiceError | null): Error {
  const why = error ? `${codeName(error.code)}: ${error.details}` : 'no response';
  const message = `the key management plugin ${name} failed to ${method.toLowerCase()}: ${why}`;
  return error && refusals.has(error.code)
    ? new DecryptionError(message, { cause: error })
    : new StorageError('Unavailable', message, { cause: error });
}

/** The name of a code in Go: `DeadlineExceeded`. */
function codeName(code: status = status.OK): string {
  if (code === status.OK) return 'OK';
  const words = (status[code] ?? 'UNKNOWN').split('_');
  return words.map((word) => word.charAt(0) + word.slice(1).toLowerCase()).join('');
}
