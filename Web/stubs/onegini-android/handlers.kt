package com.onegini.mobile.sdk.android.handlers

import com.onegini.mobile.sdk.android.handlers.error.*
import com.onegini.mobile.sdk.android.model.OneginiAppToWebSingleSignOn
import com.onegini.mobile.sdk.android.model.entity.CustomInfo
import com.onegini.mobile.sdk.android.model.entity.OneginiMobileAuthWithPushRequest
import com.onegini.mobile.sdk.android.model.entity.UserProfile

// What an app hears at the end of what it asked for: on Android's main thread, or on a thread of the stub where there is none.

interface OneginiInitializationHandler {
    fun onSuccess(removedUserProfiles: Set<UserProfile>)
    fun onError(error: OneginiInitializationError)
}

interface OneginiRegistrationHandler {
    fun onSuccess(userProfile: UserProfile, customInfo: CustomInfo?)
    fun onError(error: OneginiRegistrationError)
}

interface OneginiStatelessRegistrationHandler {
    fun onSuccess(customInfo: CustomInfo?)
    fun onError(error: OneginiRegistrationError)
}

interface OneginiAuthenticationHandler {
    fun onSuccess(userProfile: UserProfile, customInfo: CustomInfo?)
    fun onError(error: OneginiAuthenticationError)
}

interface OneginiImplicitAuthenticationHandler {
    fun onSuccess(userProfile: UserProfile)
    fun onError(error: OneginiImplicitTokenRequestError)
}

interface OneginiDeviceAuthenticationHandler {
    fun onSuccess()
    fun onError(error: OneginiDeviceAuthenticationError)
}

interface OneginiChangePinHandler {
    fun onSuccess()
    fun onError(error: OneginiChangePinError)
}

interface OneginiPinValidationHandler {
    fun onSuccess()
    fun onError(error: OneginiPinValidationError)
}

interface OneginiLogoutHandler {
    fun onSuccess()
    fun onError(error: OneginiLogoutError)
}

interface OneginiDeregisterUserProfileHandler {
    fun onSuccess()
    fun onError(error: OneginiDeregistrationError)
}

interface OneginiMobileAuthEnrollmentHandler {
    fun onSuccess()
    fun onError(error: OneginiMobileAuthEnrollmentError)
}

interface OneginiMobileAuthWithPushEnrollmentHandler {
    fun onSuccess()
    fun onError(error: OneginiMobileAuthWithPushEnrollmentError)
}

/** A user who denies is told so as error 9006, action cancelled, once the server knows; that is assumed. */
interface OneginiMobileAuthWithOtpHandler {
    fun onSuccess()
    fun onError(error: OneginiMobileAuthWithOtpError)
}

/** A user who denies is told so as error 9006, action cancelled, once the server knows; that is assumed. */
interface OneginiMobileAuthenticationHandler {
    fun onSuccess(customInfo: CustomInfo?)
    fun onError(error: OneginiMobileAuthenticationError)
}

interface OneginiPendingMobileAuthWithPushRequestsHandler {
    fun onSuccess(requests: Set<OneginiMobileAuthWithPushRequest>)
    fun onError(error: OneginiPendingMobileAuthWithPushRequestError)
}

interface OneginiDenyMobileAuthWithPushRequestHandler {
    fun onSuccess()
    fun onError(error: OneginiDenyMobileAuthWithPushRequestError)
}

interface OneginiRefreshMobileAuthPushTokenHandler {
    fun onSuccess()
    fun onError(error: OneginiRefreshMobileAuthPushTokenError)
}

interface OneginiAuthenticatorRegistrationHandler {
    fun onSuccess(customInfo: CustomInfo?)
    fun onError(error: OneginiAuthenticatorRegistrationError)
}

interface OneginiAuthenticatorDeregistrationHandler {
    fun onSuccess()
    fun onError(error: OneginiAuthenticatorDeregistrationError)
}

interface OneginiAppToWebSingleSignOnHandler {
    fun onSuccess(singleSignOn: OneginiAppToWebSingleSignOn)
    fun onError(error: OneginiAppToWebSingleSignOnError)
}

interface OneginiRefreshStatelessSessionHandler {
    fun onSuccess()
    fun onError(error: OneginiRefreshStatelessSessionError)
}
