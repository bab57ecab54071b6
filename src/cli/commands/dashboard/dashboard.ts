import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readDashboardFiles } from '../../../api/dashboard/dashboard-files.ts';
import { whenAborted } from '../../../async/abort-signals.ts';
import type { Invocation } from '../../command.ts';
import { withClient } from '../../connect.ts';
import { createForwarder } from '../pods/forward-http.ts';
import { listenOn } from '../pods/listen-on.ts';
import type { dashboardFlags } from './flags.ts';
import { openBrowser } from './open-browser.ts';
import { createPageGuard } from './page-guard.ts';
import { ownConnections } from './peer-user.ts';
import { servePage } from './serve-page.ts';

/** Connections at a time. A browser has six. */
const mostConnections = 256;

/** `cl dashboard`: serves the dashboard on this machine with the credentials of the user. */
export async function dashboard({ options, io }: Invocation<typeof dashboardFlags>): Promise<void> {
  const files = readDashboardFiles();
  await withClient({ options, io }, async ({ settings }) => {
    const forwarder = createForwarder(settings);
    const server = createServer();
    server.maxConnections = mostConnections;
    try {
      await listenOn(server, { address: '127.0.0.1', port: options.port });
      // A listening TCP server has such an address.
      const { port } = server.address() as AddressInfo;
      const isOwn = ownConnections();
      const guard = createPageGuard(port, ({ socket }) => isOwn(socket));
      const printLink = (): unknown => io.stdout.write(`Open this link, which works once: ${guard.link()}\n`);
      server.on('request', servePage({ files, forwarder, guard, onSignedOut: printLink }));
      printLink();
      if (options.open) {
        await openBrowser(guard.link()).catch(() =>
          io.stderr.write('no program opens a browser here: open the link\n'),
        );
      }
      await whenAborted(io.signal);
    } finally {
      server.closeAllConnections();
      server.close();
      forwarder.close();
    }
    io.signal.throwIfAborted();
  });
}
