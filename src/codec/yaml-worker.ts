import { Worker } from 'node:worker_threads';
import { StatusError } from '../status/status-error.ts';
import { JsonDecodeError } from './json-decode-error.ts';
import type { ParsedJson } from './parse-json.ts';
import type { YamlAnswer } from './yaml-thread.ts';

/** Bounds of the work in the thread. */
interface YamlLimits {
  /** The longest time for one document. */
  readonly deadlineMs: number;
  /** Documents that may wait; further ones are refused with 429. */
  readonly waiting: number;
  /** Memory of the thread in MB. A document of many small values can take a hundred times its size. */
  readonly memoryMb: number;
}

/** The largest body takes less than half of this time. */
const usualLimits: YamlLimits = Object.freeze({ deadlineMs: 15_000, waiting: 16, memoryMb: 512 });

/** A document that waits for the thread, or is read by it. */
interface Job {
  readonly bytes: Buffer;
  readonly resolve: (parsed: ParsedJson) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads large YAML documents in one thread beside the event loop, one after the other. The thread starts with the first
 * document; it is ended and started again where a document exceeds its time or the memory of the thread.
 */
export class YamlWorker {
  readonly #waiting: Job[] = [];
  #worker: Worker | undefined;
  #running: Job | undefined;
  #deadline: NodeJS.Timeout | undefined;
  readonly #limits: YamlLimits;

  constructor(limits: Partial<YamlLimits> = {}) {
    this.#limits = { ...usualLimits, ...limits };
  }

  /**
   * Reads one document. Throws `JsonDecodeError`, and `StatusError`: 429 where too many documents wait, 504 where this one
   * was not read in time.
   */
  decode(bytes: Buffer): Promise<ParsedJson> {
    if (this.#waiting.length >= this.#limits.waiting) return Promise.reject(tooManyDocuments());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ bytes, resolve, reject });
      this.#next();
    });
  }

  /** Ends the thread; documents that it has not read are refused. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    const jobs = [...(this.#running ? [this.#running] : []), ...this.#waiting.splice(0)];
    this.#running = undefined;
    clearTimeout(this.#deadline);
    for (const { reject } of jobs) reject(new JsonDecodeError('the reader of YAML was closed'));
    await worker?.terminate();
  }

  #next(): void {
    if (this.#running) return;
    this.#running = this.#waiting.shift();
    if (!this.#running) return;
    this.#worker ??= this.#start();
    this.#deadline = setTimeout(() => this.#fail(tookTooLong()), this.#limits.deadlineMs);
    this.#worker.postMessage(this.#running.bytes, []);
  }

  #start(): Worker {
    // Compiled or not, the thread's file is beside this one.
    const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
    const worker = new Worker(new URL(`./yaml-thread${extension}`, import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.memoryMb },
    });
    worker.on('message', (answer: YamlAnswer) => {
      if (worker !== this.#worker) return;
      const job = this.#finish();
      if ('parsed' in answer) job?.resolve(answer.parsed);
      else job?.reject(new JsonDecodeError(answer.refusal));
      this.#next();
    });
    worker.on('error', () => {
      if (worker === this.#worker) this.#fail(tookTooMuchMemory());
    });
    // A program that has nothing else to do ends.
    worker.unref();
    return worker;
  }

  #finish(): Job | undefined {
    clearTimeout(this.#deadline);
    const job = this.#running;
    this.#running = undefined;
    return job;
  }

  #fail(error: Error): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
    this.#finish()?.reject(error);
    this.#next();
  }
}

/** After so long another attempt may find the server less busy. */
const retryAfterSeconds = 10;

/** The server was slow, not the document wrong: no document of the size that is taken needs as long. */
function tookTooLong(): StatusError {
  return new StatusError('Timeout', 'Timeout: the YAML document was not read in time, try again later or send JSON', {
    details: { retryAfterSeconds },
  });
}

function tookTooMuchMemory(): JsonDecodeError {
  return new JsonDecodeError('error converting YAML to JSON: yaml: the document takes too much memory to read');
}

function tooManyDocuments(): StatusError {
  return new StatusError('TooManyRequests', 'too many large YAML documents are being read, try again later', {
    details: { retryAfterSeconds: 1 },
  });
}
