import { flushHead } from '../../http-protocol/responses/flush-head.ts';
import { standardHeaders } from '../../http-protocol/responses/standard-headers.ts';
import { workAroundPausedParser } from '../../http-protocol/responses/work-around-paused-parser.ts';
import { type Chunk, roomFor, writeChunk } from '../../http-protocol/responses/write-chunks.ts';
import type { Exchange } from '../request/exchange.ts';

/** The output of the events of one watch. */
export interface WatchSink {
  /**
   * Prepares the head and returns its status. Returns undefined if the request was answered with an
   * error instead.
   */
  begin(mediaType: string): number | undefined;
  /** Sends the head. */
  open(): void;
  /** Writes events. Returns false if the caller should wait for `room`. */
  write(chunk: Pick<Chunk, 'bytes' | 'framed'>): boolean;
  /** Waits until more can be written. Throws the abort reason if the exchange ends first. */
  room(): Promise<void>;
  /** Writes the last bytes, if given, and ends the stream. */
  end(last?: Buffer): void;
}

/** Writes the events to the body of the response. */
export function responseSink(exchange: Exchange): WatchSink {
  const { response } = exchange;
  return {
    begin(mediaType) {
      workAroundPausedParser(exchange);
      response.writeHead(200, standardHeaders(exchange, mediaType));
      return 200;
    },
    open: () => flushHead(response),
    write: (chunk) => writeChunk(response, chunk),
    room: () => roomFor(exchange),
    end: (last) => void response.end(last),
  };
}
