//! VTK and PVD files, histories, the run summary.
