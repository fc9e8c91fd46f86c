import type { TestProject } from 'vitest/node';

/** The server that all mutants share. */
export function setup(project: Pick<TestProject, 'provide'>): void {
  project.provide('postgresUrl' as never, (process.env.MUTANTS_POSTGRES ?? '') as never);
}
