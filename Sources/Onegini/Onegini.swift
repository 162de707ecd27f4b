/// The Onegini Token Server.
enum OneginiSkeleton {}
