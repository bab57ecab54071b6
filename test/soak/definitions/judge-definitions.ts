import { runDefinitions } from './run-definitions.ts';

const mebibyte = 2 ** 20;

/** What the server may have above its start ten minutes after the last definition was removed, in bytes. */
const allowedBytes = 40 * mebibyte;

/** Prints the memory of a server while 300 definitions come and go five times, and ten minutes later. False if it kept too much. */
export async function judgeDefinitions(): Promise<boolean> {
  const { start, end } = await runDefinitions({
    kinds: 300,
    rounds: 5,
    quietMinutes: 10,
    onStep(step, { rss, heapUsed, heapTotal, external }) {
      const [resident, used, total, outside] = [rss, heapUsed, heapTotal, external].map(inMebibytes);
      console.log(`${step}: RSS ${resident} MiB, heap ${used} of ${total} MiB, external ${outside} MiB`);
    },
  });
  const held = end - start <= allowedBytes;
  const verdict = `${inMebibytes(end - start)} MiB above the start after ten minutes, ${inMebibytes(allowedBytes)} allowed`;
  console.log(held ? `ok: ${verdict}` : `FAIL  ${verdict}`);
  return held;
}

function inMebibytes(bytes: number): string {
  return (bytes / mebibyte).toFixed(0);
}
