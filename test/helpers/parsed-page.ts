/** A page as a browser would understand it, and ways to look at it. */
import { parse, type DefaultTreeAdapterTypes } from 'parse5'

type Node = DefaultTreeAdapterTypes.ChildNode
export type Element = DefaultTreeAdapterTypes.Element
type Parent = DefaultTreeAdapterTypes.ParentNode

/** Parses as browsers do; `faults` are what the standard calls parse errors. */
export function parsePage(html: string): { readonly document: Parent; readonly faults: readonly string[] } {
  const faults: string[] = []
  const document = parse(html, {
    onParseError: ({ code, startLine, startCol }) => faults.push(`${code} at ${startLine}:${startCol}`),
  })
  return { document, faults }
}

export const isElement = (node: Node): node is Element => 'tagName' in node

export function elements(root: Parent): readonly Element[] {
  return root.childNodes.filter(isElement).flatMap((element) => [element, ...elements(element)])
}

/** Elements by tag name, ".class" or "#id", in order. */
export function all(root: Parent, what: string): readonly Element[] {
  return elements(root).filter((element) => {
    if (what.startsWith('.')) return attribute(element, 'class')?.split(' ').includes(what.slice(1)) === true
    if (what.startsWith('#')) return attribute(element, 'id') === what.slice(1)
    return element.tagName === what
  })
}

/** The only such element; throws when there are others or none. */
export function one(root: Parent, what: string): Element {
  const found = all(root, what)
  const [first] = found
  if (first === undefined || found.length > 1) throw new Error(`${found.length} of ${what}`)
  return first
}

export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((held) => held.name === name)?.value
}

export function textOf(node: Node | Parent): string {
  if (node.nodeName === '#text') return (node as DefaultTreeAdapterTypes.TextNode).value
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''
}

/** As it is read: runs of blanks are one. */
export function readText(node: Node | Parent): string {
  return textOf(node)
    .replace(/[ \n\t]+/g, ' ')
    .trim()
}
