import { chunksOf } from './chunks-of.ts';

/** Reads the text of a response. Throws an error if it has more bytes than the limit. */
export async function readLimited(response: Response, mostBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for await (const chunk of chunksOf(response.body)) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error(`the answer has more than ${mostBytes} bytes`);
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  return parts.join('') + decoder.decode();
}
