-- The machine that Trailbrake runs on: its first page shows the address.
return { host = '127.0.0.1', port = 5005 }
