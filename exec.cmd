@rem In scripts of package.json, exec replaces the shell, so that signals to npm reach the service. Windows has no exec.
@%*
