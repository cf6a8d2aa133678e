"""What a search under way says: snapshots, streams, and KataGo's JSON protocol."""
