import path from 'node:path';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { mutated, sentMutant } from './scripts/mutants/mutation.ts';
import base from './vitest.config.ts';

/** The configuration of the tests, with one guard removed while its file is loaded, and the server that is running. */
const mutant = sentMutant();
const file = path.resolve(mutant.file);

const mutation: Plugin = {
  name: 'mutation',
  enforce: 'pre',
  transform: (code, id) => (id.split('?')[0] === file ? mutated(code, mutant) : undefined),
};

const { projects = [], ...shared } = base.test ?? {};

export default defineConfig({
  ...base,
  plugins: [mutation],
  test: {
    ...shared,
    // What was loaded without a guard must not be met by another run.
    fsModuleCache: false,
    projects: projects.map((project) => {
      if (typeof project !== 'object' || !('test' in project)) return project;
      const isPostgres = project.test?.env?.TEST_ENGINE === 'postgres';
      const globalSetup = isPostgres ? 'scripts/mutants/running-server.ts' : project.test?.globalSetup;
      return { ...project, test: { ...project.test, fsModuleCache: false, ...(globalSetup ? { globalSetup } : {}) } };
    }),
  },
});
