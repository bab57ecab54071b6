import { Worker } from 'node:worker_threads';
import { lateModule } from '../package/late-module.ts';
import { bundledScript, moduleFile } from '../package/module-file.ts';
import { StatusError } from '../status/status-error.ts';
import { ClientQueue } from './client-queue.ts';
import { JsonDecodeError } from './decode-error.ts';
import type { ParsedJson } from './parse-json.ts';
import type { YamlAnswer } from './yaml-thread.ts';

/** Limits of the work in the thread. */
interface YamlLimits {
  /**
   * The limit for parsing one document, in milliseconds of the clock and also of the CPU time of
   * the process, of which a busy machine gives less: its documents are no more hostile.
   */
  readonly deadlineMs: number;
  /**
   * The length of the queue. A further document is refused with 429, or the last one of the user
   * who has more of them.
   */
  readonly waiting: number;
  /**
   * The memory limit of the thread in MB. A document of many small values can take a hundred times
   * its size.
   */
  readonly memoryMb: number;
}

/** Parsing the largest body takes less than half of `deadlineMs`. */
const usualLimits: YamlLimits = Object.freeze({ deadlineMs: 15_000, waiting: 16, memoryMb: 512 });

/** A document in the queue, or the one that the thread is parsing. */
interface Job {
  readonly client: string;
  readonly size: number;
  readonly bytes: Buffer;
  readonly resolve: (parsed: ParsedJson) => void;
  readonly reject: (error: unknown) => void;
}

/** The program of a thread: a file, or the text of a script. */
type ThreadProgram =
  | { readonly script: string; readonly file?: undefined }
  | { readonly file: string; readonly script?: undefined };

/**
 * The bundle has the program as one script, whose text is kept: a thread may have to start after
 * the files were replaced.
 */
const yamlProgram = lateModule((): ThreadProgram => {
  const script = bundledScript('codec/yaml-thread');
  return script === undefined ? { file: moduleFile('codec/yaml-thread') } : { script };
});

/**
 * Parses large YAML documents in one worker thread, one after the other. Users who send some have
 * the same share of the thread. The thread starts with the first document. It is terminated and
 * started again if a document exceeds the time limit or the memory of the thread.
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
  decode(bytes: Buffer, client = ''): Promise<ParsedJson> {
    if (this.#waiting.length >= this.#limits.waiting) {
      const displaced = this.#waiting.displace(client);
      if (!displaced) return Promise.reject(tooManyDocuments());
      displaced.reject(tooManyDocuments());
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ client, size: bytes.length, bytes, resolve, reject });
      this.#next();
    });
  }

  /** Terminates the thread. Documents that are not parsed yet are refused. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    const jobs = [...(this.#running ? [this.#running] : []), ...this.#waiting.clear()];
    this.#running = undefined;
    clearTimeout(this.#deadline);
    for (const { reject } of jobs) reject(new JsonDecodeError('the reader of YAML was closed'));
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
    this.#limitTime();
    this.#worker.postMessage(this.#running.bytes, []);
  }

  /** Fails the running document when neither its time nor its CPU time is left. */
  #limitTime(): void {
    const { deadlineMs } = this.#limits;
    const before = process.cpuUsage();
    const check = (): void => {
      const { user, system } = process.cpuUsage(before);
      const leftMs = deadlineMs - (user + system) / 1_000;
      if (leftMs <= 0) this.#fail(tookTooLong());
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
      if ('parsed' in answer) job?.resolve(answer.parsed);
      else job?.reject(new JsonDecodeError(answer.refusal));
      this.#next();
    });
    worker.on('error', () => {
      if (worker === this.#worker) this.#fail(tookTooMuchMemory());
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
 * Returns 504: a document within the size limit is parsed in time unless the server is overloaded.
 */
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
