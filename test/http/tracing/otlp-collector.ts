import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js';

/** A span as a collector gets it. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** '' for the root of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly events: readonly string[];
  readonly links: readonly string[];
  /** 2 is an error. */
  readonly status: number;
  /** The attributes of the process. */
  readonly resource: Readonly<Record<string, string | number | boolean>>;
}

/** A collector of traces: the service of OTLP over gRPC. */
export interface OtlpCollector {
  readonly endpoint: string;
  readonly spans: CollectedSpan[];
  /** The bytes of all requests. */
  readonly received: Buffer[];
  /** The number of requests that were answered. */
  readonly answered: number;
  close(): void;
}

/** Starts a collector; a silent one answers nothing. */
export async function startOtlpCollector({ isSilent = false } = {}): Promise<OtlpCollector> {
  let answered = 0;
  const spans: CollectedSpan[] = [];
  const received: Buffer[] = [];
  const server = new Server();
  const asIs = (bytes: Buffer): Buffer => bytes;
  const definition = {
    path: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
    requestStream: false,
    responseStream: false,
    requestSerialize: asIs,
    requestDeserialize: asIs,
    responseSerialize: asIs,
    responseDeserialize: asIs,
  };
  server.addService(
    { export: definition },
    {
      export(call: ServerUnaryCall<Buffer, Buffer>, done: sendUnaryData<Buffer>) {
        received.push(call.request);
        spans.push(...spansOf(call.request));
        if (isSilent) return;
        answered++;
        done(null, Buffer.alloc(0));
      },
    },
  );
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, at) =>
      error ? reject(error) : resolve(at),
    );
  });
  return {
    endpoint: `127.0.0.1:${bound}`,
    spans,
    received,
    get answered() {
      return answered;
    },
    close: () => server.forceShutdown(),
  };
}

/** The fields of a message by their numbers. */
type Fields = ReadonlyMap<number, readonly (Buffer | bigint)[]>;

function fieldsOf(bytes: Uint8Array): Fields {
  const fields = new Map<number, (Buffer | bigint)[]>();
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    const found = fields.get(number) ?? [];
    fields.set(number, found);
    if (type === WireType.LengthDelimited) found.push(Buffer.from(reader.bytes()));
    else if (type === WireType.Varint) found.push(BigInt(reader.uint64()));
    else if (type === WireType.Bit64) found.push(BigInt(reader.fixed64()));
    else found.push(BigInt(reader.fixed32()));
  }
  return fields;
}

function messages(fields: Fields, number: number): Fields[] {
  return (fields.get(number) ?? []).filter((one) => Buffer.isBuffer(one)).map(fieldsOf);
}

function text(fields: Fields, number: number, encoding: BufferEncoding = 'utf8'): string {
  const [found] = fields.get(number) ?? [];
  return Buffer.isBuffer(found) ? found.toString(encoding) : '';
}

function count(fields: Fields, number: number): number {
  const [found] = fields.get(number) ?? [];
  return typeof found === 'bigint' ? Number(found) : 0;
}

/** The spans of an ExportTraceServiceRequest. */
function spansOf(request: Buffer): CollectedSpan[] {
  return messages(fieldsOf(request), 1).flatMap((ofResource) => {
    const [resource = new Map()] = messages(ofResource, 1);
    return messages(ofResource, 2).flatMap((ofScope) =>
      messages(ofScope, 2).map((span) => ({
        traceId: text(span, 1, 'hex'),
        spanId: text(span, 2, 'hex'),
        parentSpanId: text(span, 4, 'hex'),
        name: text(span, 5),
        kind: count(span, 6),
        attributes: attributesOf(messages(span, 9)),
        events: messages(span, 11).map((event) => text(event, 2)),
        links: messages(span, 13).map((link) => `${text(link, 1, 'hex')}-${text(link, 2, 'hex')}`),
        status: count(messages(span, 15)[0] ?? new Map(), 3),
        resource: attributesOf(messages(resource, 1)),
      })),
    );
  });
}

function attributesOf(pairs: readonly Fields[]): CollectedSpan['attributes'] {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [value = new Map()] = messages(pair, 2);
      if (value.has(1)) return [text(pair, 1), text(value, 1)];
      return [text(pair, 1), value.has(2) ? count(value, 2) === 1 : count(value, 3)];
    }),
  );
}
