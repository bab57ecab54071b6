import type { ComponentChildren } from 'preact';

/** A table without live updates; its rows are `tr`. */
export function PlainTable(props: { readonly headings: readonly string[]; readonly children: ComponentChildren }) {
  return (
    <table class="plain">
      <thead>
        <tr>
          {props.headings.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{props.children}</tbody>
    </table>
  );
}
