import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readDashboardFiles } from '../../../api/dashboard/dashboard-files.ts';
import { whenAborted } from '../../../async/abort-signals.ts';
import type { Invocation } from '../../command.ts';
import { withClient } from '../../connect.ts';
import { createForwarder } from '../pods/forward-http.ts';
import { listenOn } from '../pods/listen-on.ts';
import type { dashboardFlags } from './flags.ts';
import { createPageGuard } from './page-guard.ts';
import { ownConnections } from './peer-user.ts';
import { servePage } from './serve-page.ts';
import { spawn } from 'node:child_process';

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

/** The programs that open a URL, by platform. */
const openers: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a URL in the user's browser. Rejects if the program cannot be started. */
function openBrowser(address: string): Promise<void> {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  child.unref();
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve).once('error', reject);
  });
}
