import type { ControllerOptions } from '../controllers/controller-flags.ts';
import { knownControllers } from '../controllers/known-controllers.ts';
import { readControllerFiles } from '../controllers/read-controller-files.ts';
import { selectControllers } from '../controllers/select-controllers.ts';
import { serviceAccountController } from '../controllers/serviceaccount/definition.ts';
import { startControllers } from '../controllers/start-controllers.ts';
import { type IdentifierSet, identifiersOf } from '../identifiers/identifiers.ts';

/** The controllers of a test server: those that are on by default, none, or a selection. */
type ControllerSelection = boolean | readonly string[];

/** True if the controllers create the service accounts that Pods need. */
export function createsDefaultAccounts(controllers: ControllerSelection): boolean {
  const selected = selectControllers(knownControllers, entriesOf(controllers));
  return selected.includes(serviceAccountController);
}

/**
 * Runs controllers in this process, and resolves when they have seen the objects of the server.
 * Returns a function that stops them.
 */
export async function runControllers(
  controllers: ControllerSelection,
  connection: { readonly server: string; readonly ca: string; readonly token: string },
  identifiers: IdentifierSet,
  options: Partial<ControllerOptions>,
): Promise<() => Promise<void>> {
  if (controllers === false) return () => Promise.resolve();
  const files = await readControllerFiles(options);
  const stop = new AbortController();
  const running = startControllers(
    {
      settings: { ...connection, namespace: 'default' },
      identifiers: identifiersOf(identifiers),
      options: { ...options, controllers: entriesOf(controllers) },
      ...files,
    },
    stop.signal,
  );
  await running.synced();
  return async () => {
    stop.abort();
    await running.ended;
  };
}

/** The entries of `--controllers`. */
function entriesOf(controllers: ControllerSelection): readonly string[] {
  return typeof controllers === 'boolean' ? (controllers ? ['*'] : []) : controllers;
}
