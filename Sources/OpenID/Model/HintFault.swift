/// Why a hint is none.
struct HintFault: Error {
    let reason: String
}
