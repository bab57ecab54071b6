import { readdir, readFile } from 'node:fs/promises';

/** Bytes of memory that a process holds; undefined where the machine does not tell. */
export async function residentBytes(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(text)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
}

/** Files and sockets that a process has open; undefined where the machine does not tell. */
export async function openFiles(pid: number): Promise<number | undefined> {
  return (await readdir(`/proc/${pid}/fd`).catch(() => undefined))?.length;
}
