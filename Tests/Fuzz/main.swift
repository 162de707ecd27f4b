// Mutation fuzzer: `Fuzz SUBJECT [SECONDS] [--seed N] [--case N]`. Exit status 1 when something does not hold.
#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

let subjects: [any Subject.Type] = [
    HTTPSubject.self, WebSocketSubject.self, MailSubject.self, MIMESubject.self, CBORSubject.self,
    WebAuthnSubject.self,
    PostQuantumSubject.self, FixturesSubject.self, BodiesSubject.self, SnapshotsSubject.self,
    HARSubject.self, UpstreamSubject.self, TunnelSubject.self,
]

guard let options = Options(CommandLine.arguments.dropFirst()),
    let subject = subjects.first(where: { $0.name == options.subject })
else {
    print("usage: Fuzz \(subjects.map { $0.name }.joined(separator: "|")) [SECONDS] [--seed N] [--case N]")
    exit(2)
}

let fuzzer = Fuzzer(subject, seed: options.seed)
let watch = Watch(fuzzer)
if let single = options.single {
    watch.begin(single)
    watch.restart()
    let holds = fuzzer.check(single)
    if holds { fuzzer.tell("all is well", single) }
    exit(holds ? 0 : 1)
}
exit(fuzzer.run(seconds: options.seconds, watch: watch) ? 0 : 1)
