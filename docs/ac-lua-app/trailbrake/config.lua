-- Where Trailbrake listens. On another machine: its address, which Trailbrake's first page shows.
return { host = '127.0.0.1', port = 5005 }
