# workerd as a server of one worker that holds a Worker Loader. Port 0: the system picks a free
# one, and workerd reports it on its control fd.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [ (name = "main", worker = .loader) ],
  sockets = [ (name = "http", address = "127.0.0.1:0", http = (), service = "main") ],
);

const loader :Workerd.Worker = (
  modules = [ (name = "loader", esModule = embed "workerd_loader.js") ],
  bindings = [ (name = "LOADER", workerLoader = ()) ],
  compatibilityDate = "2026-11-01",
);
