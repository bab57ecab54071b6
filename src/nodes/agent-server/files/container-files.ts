import { posix } from 'node:path';

/** A file, or a folder, which has no bytes. */
interface FileEntry {
  readonly bytes: Buffer | undefined;
  readonly mode: number;
  readonly modifiedAtSeconds: number;
}

/** The most bytes, names of entries included, and entries in a container. */
const limitBytes = 8 * 1024 * 1024;
const limitEntries = 2_000;
/** The most characters of a path, as on a usual system. */
const limitPath = 4_096;

const usualFolders = ['/', '/etc', '/home', '/mnt', '/opt', '/root', '/run', '/srv', '/tmp', '/usr', '/var'];

/** The files of a stand-in container, in memory. Errors have the texts of a usual system. */
export class ContainerFiles {
  /** The restarts of the container before these files began. */
  readonly restarts: number;
  readonly #entries = new Map<string, FileEntry>();
  readonly #freeBytes: () => number;
  #bytes = 0;

  constructor(restarts: number, freeBytes: () => number) {
    this.restarts = restarts;
    this.#freeBytes = freeBytes;
    // They count, but are there even if no room is left.
    for (const path of usualFolders) this.#entries.set(path, folder());
    this.#bytes = usualFolders.reduce((sum, path) => sum + sizeOf(path, folder()), 0);
  }

  /** The bytes of all files and their names. */
  get bytes(): number {
    return this.#bytes;
  }

  get(path: string): FileEntry | undefined {
    return this.#entries.get(clean(path));
  }

  isFolder(path: string): boolean {
    const found = this.get(path);
    return found !== undefined && found.bytes === undefined;
  }

  /** The contents of a file. */
  read(path: string): Buffer {
    const found = this.get(path);
    if (!found) throw new Error(`${path}: No such file or directory`);
    if (!found.bytes) throw new Error(`${path}: Is a directory`);
    return found.bytes;
  }

  /** The names in a folder, sorted. */
  list(path: string): readonly string[] {
    const start = clean(path) === '/' ? '/' : `${clean(path)}/`;
    const below = [...this.#entries.keys()].filter((key) => key !== '/' && key.startsWith(start));
    return below
      .map((key) => key.slice(start.length))
      .filter((name) => !name.includes('/'))
      .toSorted();
  }

  /** Writes a file, whose folder must exist. */
  write(path: string, bytes: Buffer, attributes: Partial<FileEntry> = {}): void {
    const key = clean(path);
    if (this.isFolder(key)) throw new Error(`${path}: Is a directory`);
    if (!this.isFolder(posix.dirname(key))) throw new Error(`${path}: No such file or directory`);
    const modifiedAtSeconds = Math.floor(Date.now() / 1000);
    this.#set(path, { mode: 0o644, modifiedAtSeconds, ...attributes, bytes });
  }

  /** Makes a folder and the folders above it. */
  makeFolder(path: string): void {
    const key = clean(path);
    const present = this.get(key);
    if (present?.bytes) throw new Error(`${path}: File exists`);
    if (present) return;
    this.makeFolder(posix.dirname(key));
    this.#set(path, folder());
  }

  #set(path: string, entry: FileEntry): void {
    const key = clean(path);
    const present = this.#entries.get(key);
    const more = sizeOf(key, entry) - (present ? sizeOf(key, present) : 0);
    const isFull = this.#bytes + more > limitBytes || more > this.#freeBytes();
    if (isFull || (!present && this.#entries.size >= limitEntries)) {
      throw new Error(`${path}: No space left on device`);
    }
    this.#bytes += more;
    this.#entries.set(key, entry);
  }

  /** Removes a file, or a folder with all that is in it. */
  remove(path: string): void {
    const key = clean(path);
    if (key === '/') throw new Error('/: Operation not permitted');
    for (const [each, entry] of this.#entries) {
      if (each !== key && !each.startsWith(`${key}/`)) continue;
      this.#bytes -= sizeOf(each, entry);
      this.#entries.delete(each);
    }
  }
}

function folder(): FileEntry {
  return { bytes: undefined, mode: 0o755, modifiedAtSeconds: Math.floor(Date.now() / 1000) };
}

/** Characters of a path take up to two bytes. */
function sizeOf(path: string, { bytes }: FileEntry): number {
  return 2 * path.length + (bytes?.length ?? 0);
}

function clean(path: string): string {
  if (path.length > limitPath) throw new Error(`${path.slice(0, 40)}…: File name too long`);
  return posix.resolve('/', path);
}
