/** Which posting lists an index has, and how the lists of their terms are cut. */

/** 'c': documents are chunks; 'f': files; 's': files, terms are the names of their symbols. */
export const LISTS = ['c', 'f', 's'] as const
export type ListName = (typeof LISTS)[number]

/** By segment: into how many parts the list of its terms is cut (term-directory.ts). */
export type TermParts = readonly Readonly<Record<ListName, number>>[]
