/// A code and what it may have been made of.
struct CodeSearch {
    let code: String
    /// The first one is told when none fits.
    let candidates: [AuthenticationCode.Candidate]
    let format: AuthenticationCodeFormat
    /// Remembered when the code is right; nil when it is not known.
    let uriID: String?
}
