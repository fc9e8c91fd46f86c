import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { apiBase, parseServices } from './api/api-base.ts';
import { createApiClient } from './api/client.ts';
import { createAppRouter } from './router.tsx';
import './styles/site.css';

// A build for a site whose calls are answered by another host is told so here: "www.example.org=https://api.example.org".
const services = parseServices(import.meta.env.VITE_API_SERVICES ?? '');
const api = createApiClient({ base: apiBase(window.location, services, console.error) });
const root = document.getElementById('root');

if (root) {
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={createAppRouter({ api })} />
    </StrictMode>,
  );
}
