import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

/** A place to run processes in that reaches others over the network alone. */
export interface Host {
  readonly address: string;
  /** What a command line begins with to run here. */
  readonly enter: readonly string[];
}

/**
 * Hosts that are network namespaces of this machine. All packets between them pass one router, itself a namespace, which
 * drops what it is told to, silently and in one direction, as a broken network does. This process reaches every host always.
 */
export interface PrivateNetwork {
  readonly hosts: readonly Host[];
  /** Drops every packet from one host to another until `heal`. */
  drop(from: Host, to: Host): Promise<void>;
  /** Lets everything through again. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

const run = promisify(execFile);

async function ip(...args: readonly string[]): Promise<string> {
  return (await run('ip', args)).stdout;
}

/** Networks of several runs on one machine lie side by side: `198.18.0.0/15` is set aside for testing (RFC 2544). */
const networks = 256;
/** A network of 256 addresses has so many pairs of a host and its router, the first of them for this process. */
const mostHosts = 63;

/** Makes a network. Rejects where this machine does not permit that: without `ip`, or without the privileges. */
export async function openPrivateNetwork(hostCount: number): Promise<PrivateNetwork> {
  if (hostCount > mostHosts) throw new RangeError(`${hostCount} hosts are more than ${mostHosts}`);
  await removeLeftOvers();
  const prefix = `cl-net-${process.pid}`;
  const made: string[] = [];
  const removeNow = (): void => made.forEach((name) => removeSilently(name));
  const close = async (): Promise<void> => {
    process.off('exit', removeNow);
    // A device ends with one of its two namespaces, and the route with the device.
    for (const name of made.splice(0)) await ip('netns', 'delete', name);
  };
  const add = async (name: string): Promise<string> => {
    await ip('netns', 'add', name);
    made.push(name);
    await ip('-n', name, 'link', 'set', 'lo', 'up');
    return name;
  };
  process.once('exit', removeNow);
  try {
    const router = await add(`${prefix}-router`);
    await run('ip', ['netns', 'exec', router, 'sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward']);
    const net = await connectThisProcess(router, `cl${process.pid}`);
    const hosts: Host[] = [];
    for (let i = 1; i <= hostCount; i++) hosts.push(await connectHost(await add(`${prefix}-${i}`), router, net, i));
    return { hosts, ...dropsOf(router), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The router's end and the other end of link `i`: a network of two addresses. */
function addressesOf(net: string, i: number): { readonly near: string; readonly far: string } {
  return { near: `${net}.${i * 4 + 1}`, far: `${net}.${i * 4 + 2}` };
}

/** Links this process to the router; answers the first three bytes of the network that was free. */
async function connectThisProcess(router: string, device: string): Promise<string> {
  await ip('link', 'add', device, 'type', 'veth', 'peer', 'name', 'link0', 'netns', router);
  await ip('link', 'set', device, 'up');
  for (let attempt = 0; ; attempt++) {
    const net = `198.18.${(process.pid + attempt) % networks}`;
    const { near, far } = addressesOf(net, 0);
    const taken = await ip('route', 'show', 'root', `${net}.0/24`);
    if (taken !== '' && attempt < networks) continue;
    await ip('address', 'add', `${far}/30`, 'dev', device);
    await ip('-n', router, 'address', 'add', `${near}/30`, 'dev', 'link0');
    await ip('-n', router, 'link', 'set', 'link0', 'up');
    await ip('route', 'add', `${net}.0/24`, 'via', near);
    return net;
  }
}

async function connectHost(name: string, router: string, net: string, i: number): Promise<Host> {
  const device = `link${i}`;
  const { near, far } = addressesOf(net, i);
  await ip('link', 'add', device, 'netns', router, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
  await ip('-n', router, 'address', 'add', `${near}/30`, 'dev', device);
  await ip('-n', router, 'link', 'set', device, 'up');
  await ip('-n', name, 'address', 'add', `${far}/30`, 'dev', 'eth0');
  await ip('-n', name, 'link', 'set', 'eth0', 'up');
  await ip('-n', name, 'route', 'add', 'default', 'via', near);
  return { address: far, enter: ['ip', 'netns', 'exec', name] };
}

function dropsOf(router: string): Pick<PrivateNetwork, 'drop' | 'heal'> {
  const rules: (readonly string[])[] = [];
  return {
    async drop(from, to) {
      const rule = ['from', from.address, 'to', to.address, 'blackhole'];
      await ip('-n', router, 'rule', 'add', ...rule);
      rules.push(rule);
    },
    async heal() {
      for (const rule of rules.splice(0)) await ip('-n', router, 'rule', 'delete', ...rule);
    },
  };
}

/** Removes what runs have left behind that were killed. */
async function removeLeftOvers(): Promise<void> {
  for (const [name, pid] of (await ip('netns', 'list')).matchAll(/^cl-net-(\d+)-\w+/gm)) {
    if (!isAlive(Number(pid))) removeSilently(name);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function removeSilently(name: string): void {
  try {
    execFileSync('ip', ['netns', 'delete', name], { stdio: 'ignore' });
  } catch {
    // It is gone, or is in somebody else's hands.
  }
}
