import { spawn } from 'node:child_process';

/** The programs that open an address, by platform. */
const openers: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens an address in the user's browser. Rejects if the program for it does not start. */
export function openBrowser(address: string): Promise<void> {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  child.unref();
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve).once('error', reject);
  });
}
