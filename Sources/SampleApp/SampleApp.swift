/// The back end of the app of each guide.
enum SampleAppSkeleton {}
