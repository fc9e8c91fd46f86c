import { readConfig } from '#server/config.ts';
import { closeAtSignals, serve } from '#server/main.ts';

// The program with the pages in WEB_FOLDER, as a process of its own.
closeAtSignals(await serve(readConfig(), { webFolder: process.env.WEB_FOLDER }));
