import { methodNotAllowed } from '../../status/status-error.ts';
import { sendAsItIs } from '../../http-protocol/responses/send-bytes.ts';
import type { Exchange } from '../request/exchange.ts';
import { answerWithFile, readDashboardFiles } from './dashboard-files.ts';

/** Creates the handlers of the files of the dashboard, by path. Throws if the files are missing. */
export function dashboardHandlers(): ReadonlyMap<string, (exchange: Exchange) => void> {
  return new Map(
    [...readDashboardFiles()].map(([path, file]) => {
      const handler = (exchange: Exchange): void => {
        const { method, headers } = exchange.request;
        if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed();
        const asked = { ifNoneMatch: headers['if-none-match'], acceptEncoding: textOf(headers['accept-encoding']) };
        const answer = answerWithFile(file, asked);
        sendAsItIs(exchange, { ...answer, contentType: file.contentType, cacheControl: 'no-cache' });
      };
      return [path, handler];
    }),
  );
}

function textOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'object' ? value.join() : value;
}
