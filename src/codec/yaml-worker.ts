import { Worker } from 'node:worker_threads';
import { onAbort, untilAborted } from '../async/abort-signals.ts';
import { newDeferred } from '../async/deferred.ts';
import { lazyModule } from '../package/lazy-module.ts';
import { bundledScript, moduleFile } from '../package/module-file.ts';
import { StatusError } from '../status/status-error.ts';
import { ClientQueue } from './client-queue.ts';
import type { Receiver } from './codec.ts';
import { JsonDecodeError } from './decode-error.ts';
import type { ParsedJson } from './parse-json.ts';
import type { YamlAnswer, YamlResults, YamlTask } from './yaml-thread.ts';

/** Limits of the work in the thread. */
interface YamlLimits {
  /**
   * The limit for reading or writing one document, in milliseconds of the clock and also of the CPU
   * time of the process, of which a busy machine gives less: its documents are no more hostile.
   */
  readonly deadlineMs: number;
  /**
   * The number of documents that wait to be read. A further one is refused with 429, or the last
   * one of the user who has more of them. Responses are not counted: the limits of requests in
   * flight bound their number, and the write whose response is refused would be done.
   */
  readonly waiting: number;
  /**
   * The memory limit of the thread in MB. A document of many small values can take a hundred times
   * its size.
   */
  readonly memoryMb: number;
}

/** Reading or writing the largest document takes less than half of `deadlineMs`. */
const usualLimits: YamlLimits = Object.freeze({ deadlineMs: 15_000, waiting: 16, memoryMb: 512 });

/** A task in the queue, or the one that the thread works on. */
interface Job extends YamlTask {
  readonly client: string;
  readonly size: number;
  readonly isRequired: boolean;
  readonly resolve: (result: YamlResults[keyof YamlResults]) => void;
  readonly reject: (error: unknown) => void;
}

/** A task in the queue, and the result to come. */
interface Begun<Work extends keyof YamlResults> {
  readonly job: Job;
  readonly result: Promise<YamlResults[Work]>;
}

/** The program of a thread: a file, or the text of a script. */
type ThreadProgram =
  | { readonly script: string; readonly file?: undefined }
  | { readonly file: string; readonly script?: undefined };

/**
 * The bundle has the program as one script, whose text is kept: a thread may have to start after
 * the files were replaced.
 */
const yamlProgram = lazyModule((): ThreadProgram => {
  const script = bundledScript('codec/yaml-thread');
  return script === undefined ? { file: moduleFile('codec/yaml-thread') } : { script };
});

/**
 * Reads and writes large YAML documents in one worker thread, one after the other. Users have the
 * same share of the thread. The thread starts with the first document. It is terminated and started
 * again if a document exceeds the time limit or the memory of the thread.
 */
export class YamlWorker {
  readonly #waiting = new ClientQueue<Job>();
  #worker: Worker | undefined;
  #running: Job | undefined;
  #deadline: NodeJS.Timeout | undefined;
  readonly #limits: YamlLimits;
  readonly #program: () => ThreadProgram;

  /** `program` returns the program of the thread; tests replace it. */
  constructor(limits: Partial<YamlLimits> = {}, program: () => ThreadProgram = yamlProgram) {
    this.#limits = { ...usualLimits, ...limits };
    this.#program = program;
  }

  /**
   * Parses one document of a user. Throws `JsonDecodeError`, and `StatusError`: 429 if the queue is
   * full, 504 if the document was not parsed in time.
   */
  async decode(bytes: Buffer, client = ''): Promise<ParsedJson> {
    if (this.#waiting.length >= this.#limits.waiting) {
      const displaced = this.#waiting.displace(client);
      if (!displaced) throw tooManyDocuments();
      displaced.reject(tooManyDocuments());
    }
    return this.#begin('read', bytes, client).result;
  }

  /**
   * Writes the JSON of a response as YAML, with the result of `yamlOfJson`. Throws the reason of
   * the receiver's signal once that aborts, and a `StatusError`: 504 if the response was not
   * written in time, 500 if it takes too much memory.
   */
  async encode(json: Buffer, { client, signal }: Receiver): Promise<Buffer> {
    signal.throwIfAborted();
    const { job, result } = this.#begin('write', json, client);
    // A document that the thread works on is finished: to start the thread again takes longer.
    const release = onAbort(signal, () => this.#waiting.remove(job));
    const { buffer, byteOffset, length } = await untilAborted(result, signal).finally(release);
    return Buffer.from(buffer, byteOffset, length);
  }

  #begin<Work extends keyof YamlResults>(work: Work, bytes: Buffer, client: string): Begun<Work> {
    const { promise: result, resolve, reject } = newDeferred<YamlResults[Work]>();
    const job: Job = {
      work,
      bytes,
      client,
      size: bytes.length,
      isRequired: work === 'write',
      // The thread answers with the result of the task's work.
      resolve: (answered) => resolve(answered as YamlResults[Work]),
      reject,
    };
    this.#waiting.push(job);
    this.#next();
    return { job, result };
  }

  /** Terminates the thread. Documents that are not finished yet are refused. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    const jobs = [...(this.#running ? [this.#running] : []), ...this.#waiting.clear()];
    this.#running = undefined;
    clearTimeout(this.#deadline);
    for (const { reject } of jobs) reject(new JsonDecodeError('the thread of YAML was closed'));
    await worker?.terminate();
  }

  #next(): void {
    if (this.#running) return;
    this.#running = this.#waiting.shift();
    if (!this.#running) return;
    try {
      this.#worker ??= this.#start();
    } catch (error) {
      // The files of the package are missing. The next document tries again.
      return this.#fail(error);
    }
    const { work, bytes } = this.#running;
    this.#limitTime(failures[work].late);
    // A copy, because a message takes the whole memory that a view is part of.
    const copy = new Uint8Array(bytes);
    this.#worker.postMessage({ work, bytes: copy } satisfies YamlTask, [copy.buffer]);
  }

  /** Fails the running document when neither its time nor its CPU time is left. */
  #limitTime(late: () => Error): void {
    const { deadlineMs } = this.#limits;
    const before = process.cpuUsage();
    const check = (): void => {
      const { user, system } = process.cpuUsage(before);
      const leftMs = deadlineMs - (user + system) / 1_000;
      if (leftMs <= 0) this.#fail(late());
      else this.#deadline = setTimeout(check, leftMs);
    };
    this.#deadline = setTimeout(check, deadlineMs);
  }

  #start(): Worker {
    const { file, script } = this.#program();
    const worker = new Worker(script ?? file, {
      eval: script !== undefined,
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.memoryMb },
    });
    worker.on('message', (answer: YamlAnswer) => {
      if (worker !== this.#worker) return;
      const job = this.#finish();
      if (answer.refusal === undefined) job?.resolve(answer.result);
      else job?.reject(new JsonDecodeError(answer.refusal));
      this.#next();
    });
    worker.on('error', () => {
      if (worker === this.#worker) this.#fail(failures[this.#running?.work ?? 'read'].large());
    });
    // The thread does not keep the process alive.
    worker.unref();
    return worker;
  }

  #finish(): Job | undefined {
    clearTimeout(this.#deadline);
    const job = this.#running;
    this.#running = undefined;
    return job;
  }

  #fail(error: unknown): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
    this.#finish()?.reject(error);
    this.#next();
  }
}

/** Retry-After of a timeout; the server may be less busy then. */
const retryAfterSeconds = 10;

/**
 * The errors of documents that exceed the limits of the thread. 504 means that the server is
 * overloaded: a document within the size limit is finished in time.
 */
const failures: Readonly<Record<keyof YamlResults, { readonly late: () => Error; readonly large: () => Error }>> = {
  read: {
    late: () => timeout('the YAML document was not read in time, try again later or send JSON'),
    large: () => new JsonDecodeError('error converting YAML to JSON: yaml: the document takes too much memory to read'),
  },
  write: {
    late: () => timeout('the response was not written as YAML in time, try again later or accept JSON'),
    large: () => new StatusError('InternalError', 'the response takes too much memory as YAML, accept JSON'),
  },
};

function timeout(message: string): StatusError {
  return new StatusError('Timeout', `Timeout: ${message}`, { details: { retryAfterSeconds } });
}

function tooManyDocuments(): StatusError {
  return new StatusError('TooManyRequests', 'too many large YAML documents are being read, try again later', {
    details: { retryAfterSeconds: 1 },
  });
}
