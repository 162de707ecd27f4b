/// Which release this is.
enum Version {
    static let number = "0.1.0"

    /// `understudy 0.1.0 (swift 6.3)`.
    static var line: String { "understudy \(number) (swift \(compiler))" }

    private static var compiler: String {
        #if compiler(>=6.4)
            "6.4 or newer"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }
}
