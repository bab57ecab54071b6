import type { Invocation } from '../../../command.ts';
import type { DiscoveredResource } from '../../../../client/discovery.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { Semaphore } from '../../../../async/semaphore.ts';
import { pause } from '../../../../async/timers.ts';
import { CliError, errorLine, isUnanswered } from '../../../cli-error.ts';
import { withClient } from '../../../connect.ts';
import type { Session } from '../../../find-type.ts';
import { createResourceFinder } from '../../../manifests/manifest-resource.ts';
import { type Manifest, readManifests } from '../../../manifests/read-manifests.ts';
import { labelMatcher } from '../../../objects/select-objects.ts';
import { createWrittenObjects, type WrittenObjects } from '../../../objects/written-objects.ts';
import { withProgress } from '../../../progress.ts';
import type { applyFlags } from './flags.ts';
import type { ApplySet } from './apply-set.ts';
import { applyObject, ConflictError } from './apply-object.ts';
import { applySteps } from './apply-order.ts';
import { waitUntilEstablished } from './established.ts';
import { createExistingObjects, type ExistingObjects, objectKey } from './existing-objects.ts';

/** How many objects are applied at the same time. */
const width = 16;

const definitionKind = 'CustomResourceDefinition';

/** How often, and with which pauses, the kinds of definitions of the same run are looked for. */
const findAttempts = 20;
const findPauseMs = 100;

type ApplyOptions = Invocation<typeof applyFlags>['options'];

/** An object that was applied, for what follows. */
interface Done {
  readonly resource: DiscoveredResource;
  readonly object: JsonObject;
}

/**
 * `cl apply -f`: applies the objects of files in the server (spec 4.8), those that others need
 * first and the rest at the same time; continues after a refused one, and then deletes what is to
 * be pruned.
 */
export async function apply({ options, given, io }: Invocation<typeof applyFlags>): Promise<void> {
  checkFlags(options, given('serverSide'));
  const matches = await labelMatcher(options.selector);
  const manifests = (await readManifests(options, io)).filter(({ object }) => matches(object));
  // Nothing applied would mean that all is to be pruned.
  if (manifests.length === 0) {
    throw new CliError('no objects passed to apply', { hint: 'none in the files has the labels' });
  }
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    const applySet = options.applyset ? await openApplySet(session, options) : undefined;
    const labeled = applySet ? manifests.map((manifest) => applySet.addTo(manifest)) : manifests;
    const run = await createRun(session, options, { isServerSideGiven: given('serverSide'), applySet });
    const steps = applySteps(labeled);
    if (applySet) await applySet.begin(labeled);
    for (const step of steps) await run.applyStep(step);
    run.printer.end();
    if (run.failures > 0) {
      throw new CliError(`${run.failures} of ${labeled.length} objects were not applied`, {
        hint: options.prune ? 'nothing was pruned' : '',
        silent: labeled.length === 1,
      });
    }
    if (applySet) await applySet.prune(run.done, run.printer);
    else if (options.prune) await pruneBySelector(session, options, run.done, run.printer);
  });
}

function checkFlags({ prune, all, selector, applyset, dryRun }: ApplyOptions, isServerSideGiven: boolean): void {
  if (prune && !applyset && !all && !selector) {
    throw new CliError('all resources selected for prune without explicitly passing --all', {
      hint: 'say what may be deleted: -l SELECTOR, --all, or --applyset=NAME',
    });
  }
  if (prune && all && selector) throw new CliError('cannot set --all and --selector at the same time');
  if (applyset && !prune) throw new CliError('--applyset needs --prune');
  if (applyset && (all || selector)) throw new CliError('--all and --selector are not supported with --applyset');
  if (isServerSideGiven && dryRun === 'client') {
    throw new CliError("--dry-run=client doesn't work with --server-side", { hint: '--dry-run=server does' });
  }
}

async function openApplySet(session: Session, options: ApplyOptions): Promise<ApplySet> {
  const { createApplySet } = await import('./apply-set.ts');
  return createApplySet(session, options.applyset ?? '', options);
}

async function pruneBySelector(
  session: Session,
  options: ApplyOptions,
  done: readonly Done[],
  printer: WrittenObjects,
): Promise<void> {
  const { pruneObjects } = await import('./find-pruned.ts');
  await pruneObjects(session, options, done, printer);
}

interface Run {
  readonly printer: WrittenObjects;
  readonly done: readonly Done[];
  readonly failures: number;
  applyStep(step: readonly Manifest[]): Promise<void>;
}

interface RunSettings {
  readonly isServerSideGiven: boolean;
  readonly applySet: ApplySet | undefined;
}

async function createRun(
  session: Session,
  options: ApplyOptions,
  { isServerSideGiven, applySet }: RunSettings,
): Promise<Run> {
  const { client, io } = session;
  const find = createResourceFinder(client, io.signal);
  const slots = new Semaphore(width);
  const printer = await createWrittenObjects(options, io, { asList: true });
  const done: Done[] = [];
  const { fieldManager, forceConflicts: force, dryRun, validate, subresource, namespace } = options;
  const checkExisting = force ? undefined : applySet?.checkMember;
  const shared = { client, signal: io.signal, fieldManager, force, dryRun, validate, subresource, namespace };
  const settings = { ...shared, checkExisting };
  let failures = 0;

  const applyOne = async (manifest: Manifest, existing: ExistingObjects): Promise<() => void> => {
    await slots.acquire(io.signal);
    try {
      const resource = await findDefined(manifest);
      const applied = await applyObject(settings, resource, manifest, await existing.find(resource, manifest));
      return () => {
        done.push({ resource, object: applied.object });
        printer.print(applied.object, isServerSideGiven ? 'serverside-applied' : applied.outcome);
      };
    } catch (error) {
      io.signal.throwIfAborted();
      if (isUnanswered(error)) throw error;
      return () => {
        failures++;
        if (error instanceof ConflictError) io.stderr.write(error.table);
        io.stderr.write(`${errorLine(error)}\n`);
      };
    } finally {
      slots.release();
    }
  };

  /** Kinds that were defined a moment ago may not be found at once. */
  const findDefined = async (manifest: Manifest): Promise<DiscoveredResource> => {
    const isDefining = dryRun === 'none' && done.some(({ resource }) => resource.kind === definitionKind);
    for (let attempt = 1; ; attempt++) {
      try {
        return await find(manifest);
      } catch (error) {
        if (!isDefining || attempt === findAttempts) throw error;
        await pause(findPauseMs, io.signal);
      }
    }
  };

  return {
    printer,
    done,
    get failures() {
      return failures;
    },
    async applyStep(step) {
      const first = done.length;
      const existing = createExistingObjects(settings, step);
      // Printed in the order of the files, each as soon as those before it are done.
      const running = new Map<string, Promise<() => void>>();
      const reports = step.map((manifest) => {
        const key = objectKey(settings, manifest);
        // An object that is in the files twice is applied twice, one after the other.
        const earlier = running.get(key);
        const report = earlier ? earlier.then(() => applyOne(manifest, existing)) : applyOne(manifest, existing);
        running.set(key, report);
        return report;
      });
      for (const report of reports) report.catch(() => undefined);
      for (const report of reports) (await report)();
      const [definition] = done.slice(first);
      if (definition?.resource.kind !== definitionKind || dryRun !== 'none') return;
      const objects = done.slice(first).map(({ object }) => object);
      await withProgress(io, (report) => {
        report(`waiting until ${objects.length} definitions are served`);
        return waitUntilEstablished(client, definition.resource, objects, io.signal);
      });
    },
  };
}
