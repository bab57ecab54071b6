/** Shows a dialog over the page; the reference of its element. */
export function showModal(element: HTMLDialogElement | null): void {
  if (element && !element.open) element.showModal();
}
